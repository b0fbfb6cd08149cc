import type { App } from '../../../app/app.ts'
import { parseCreateTask, readQuoteId } from '../../../app/video/create-body/parse-create-task.ts'
import type { ListDetailedTasks } from '../../../app/video/task-details.ts'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { FAMILIES } from '../../../domain/video/families/families.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import type { Operation } from '../../operation.ts'
import { CreateTaskBody } from '../../operations/create-task/body-schema.ts'
import { TASK_END } from '../../operations/get-task/task-schema.ts'
import type { VideoDialect } from '../dialect.ts'
import { dialectId, taskIdIn } from '../dialect-id.ts'
import { modelTools, type ReadOrder } from '../take-order.ts'
import { EXPIRED, NATIVE_STATUSES, presentNativeTask, REPEATED } from './present-task.ts'

/** The vendor's limit for both the number and the size of a page. */
const PAGE_MAX = 500
const COUNTED_MAX = PAGE_MAX * PAGE_MAX

const PAGE_SIZE = 10
/** Excludes the NUL character, which PostgreSQL cannot store. */
const WORD = json.string({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000]*$' })

const NATIVE_QUERY: NonNullable<Operation['query']> = {
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

const { content } = TASK_END

const NativeTask = json.object({
  id: json.string(),
  model: json.string(),
  status: json.oneOf(NATIVE_STATUSES),
  error: json.nullable(json.object({ code: json.string(), message: json.string() })),
  created_at: json.integer({ description: 'Unix seconds.' }),
  updated_at: json.integer({ description: 'Unix seconds.' }),
  content,
  ...REPEATED,
  usage: json.optional(
    json.object(
      { completion_tokens: json.integer(), total_tokens: json.integer() },
      { description: 'The tokens of the video. Present once the vendor has measured it.' },
    ),
  ),
})

const IDS = { idName: 'native_id', idPrefix: 'cgt-' } as const
const unit = FAMILIES.a.priceUnit

const { task_type: _, ...FIELDS } = CreateTaskBody.properties ?? {}

/** The API of family A's vendor: its clients change only the base URL, the key and, without an alias, the model. */
export const native: VideoDialect = {
  ...IDS,
  unit,
  path: '/api/v3/contents/generations/tasks',
  create: {
    id: 'createNativeTask',
    summary: "Create a video, in family A's own format",
    description:
      "For clients of the vendor's own API: the base URL is `{base_url}/api/v3`. Only models of family A. Here images keep the roles `first_frame` and `last_frame`. The task can be read at `/v1/video/generations` with `task_` in place of `cgt-`.",
    body: { schema: { ...CreateTaskBody, properties: FIELDS } },
    reply: json.object({ id: json.string({ description: 'The id of the task, which begins with `cgt-`.' }) }),
    read: readNativeTask,
    present: ({ id }) => ({ id: dialectId(IDS, id) }),
  },
  get: {
    id: 'getNativeTask',
    summary: "Get a video, in family A's own format",
    description: 'A task of family A, however it was made, in the latest state its vendor reports in time.',
    reply: NativeTask,
    present: (task) => presentNativeTask(task, dialectId(IDS, task.id)),
  },
  list: {
    id: 'listNativeTasks',
    summary: "List videos, in family A's own format",
    description: 'The tasks of family A of this API key, newest first, as they were last seen.',
    query: NATIVE_QUERY,
    reply: json.object({
      total: json.integer({ description: `All that match, counted up to ${COUNTED_MAX}.` }),
      items: json.array(NativeTask),
    }),
    list: listNativeTasks,
  },
  remove: {
    id: 'deleteNativeTask',
    summary: "Delete a video, in family A's own format",
    description: 'Works like `DELETE /v1/video/generations/{task_id}`.',
    reply: json.object({}),
    present: () => ({}),
  },
}

function readNativeTask(request: EdgeRequest, app: App): ReadOrder {
  const { body, bodyBytes } = request
  const tools = modelTools(request, app)
  const order = parseCreateTask(body, bodyBytes, tools)
  const family = tools.findVideoModel(order.model)?.family
  if (family !== undefined && family.priceUnit !== unit) {
    const message = `The model ${order.model} is not offered in this format: use POST /v1/video/generations.`
    throw new ApiError('model_not_found', { param: 'model', message })
  }
  return { order: { ...order, keepsFrameRoles: true }, quoteId: readQuoteId(body) }
}

async function listNativeTasks({ query, caller }: EdgeRequest, app: App): Promise<object> {
  const { filter: asked, ...page } = readNativePage(query, IDS)
  const filter = { ...asked, unit }
  const { tasks } = await app.listDetailedTasks({ ...page, caller, filter, order: 'desc' })
  const total = await app.countTasks({ caller, filter, max: COUNTED_MAX })
  return { total, items: tasks.map((task) => presentNativeTask(task, dialectId(IDS, task.id))) }
}

type Page = Pick<Parameters<ListDetailedTasks>[0], 'filter' | 'limit'> & { skip: number }

function readNativePage(query: unknown, ids: Pick<VideoDialect, 'idPrefix'>): Page {
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
