import type { ListDetailedTasks } from '../../../app/video/task-details.ts'
import { type ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { Operation } from '../../operation.ts'
import type { VideoDialect } from '../dialect.ts'
import { taskIdIn } from '../dialect-id.ts'
import { EXPIRED, NATIVE_STATUSES } from './present-task.ts'

/** Both bounds of the vendor. */
const PAGE_MAX = 500
export const COUNTED_MAX = PAGE_MAX * PAGE_MAX

const PAGE_SIZE = 10
/** Excludes the NUL character, which no store accepts. */
const WORD = json.string({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000]*$' })

export const NATIVE_QUERY: NonNullable<Operation['query']> = {
  page_num: {
    schema: json.integer({ minimum: 1, maximum: PAGE_MAX, default: 1 }),
    description: 'Number of the page.',
  },
  page_size: {
    schema: json.integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_SIZE }),
    description: 'Tasks on a page.',
  },
  'filter.status': { schema: json.oneOf(NATIVE_STATUSES), description: 'Only tasks with this status.' },
  'filter.task_ids': {
    schema: { anyOf: [WORD, json.array(WORD)] },
    description: 'Only tasks with these ids; the parameter is repeated for each id.',
  },
  'filter.model': { schema: WORD, description: 'Only tasks of this model.' },
  'filter.service_tier': { schema: WORD, description: 'Only tasks that were ordered in this tier.' },
}

type Page = Pick<Parameters<ListDetailedTasks>[0], 'filter' | 'limit'> & { skip: number }

export function readNativePage(query: unknown, ids: Pick<VideoDialect, 'idPrefix'>): Page {
  const given: Readonly<Record<string, unknown>> = Object(query)
  const limit = readNumber(given, 'page_size', PAGE_SIZE)
  const taskIds = readWords(given['filter.task_ids'])
  return {
    limit,
    skip: (readNumber(given, 'page_num', 1) - 1) * limit,
    filter: {
      ...readStatus(given['filter.status']),
      ids: taskIds?.flatMap((id) => taskIdIn(ids, id) ?? []),
      model: readWord(given, 'filter.model'),
      serviceTier: readWord(given, 'filter.service_tier'),
    },
  }
}

function readNumber(query: Readonly<Record<string, unknown>>, name: string, usual: number): number {
  const text = query[name]
  if (text === undefined) return usual
  const number = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= PAGE_MAX) return number
  throw wrong(name, `must be a whole number from 1 to ${PAGE_MAX}`)
}

function readStatus(word: unknown): Page['filter'] {
  if (word === undefined) return {}
  const status = NATIVE_STATUSES.find((known) => known === word)
  if (status === undefined) throw wrong('filter.status', `must be one of ${NATIVE_STATUSES.join(', ')}`)
  if (status === 'expired') return { status: 'failed', errorCode: { is: true, code: EXPIRED } }
  return status === 'failed' ? { status, errorCode: { is: false, code: EXPIRED } } : { status }
}

function readWord(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const word = query[name]
  if (word === undefined || isWord(word)) return word
  throw wrong(name, 'must be a text of 1 to 128 characters without NUL')
}

function readWords(words: unknown): readonly string[] | undefined {
  if (words === undefined) return undefined
  const list: unknown[] = Array.isArray(words) ? words : [words]
  if (list.every(isWord)) return list
  throw wrong('filter.task_ids', 'must be ids of 1 to 128 characters')
}

function isWord(word: unknown): word is string {
  return typeof word === 'string' && word !== '' && [...word].length <= 128 && !word.includes('\0')
}

function wrong(param: string, demand: string): ApiError {
  return invalidParameter(param, `${param} ${demand}.`)
}
