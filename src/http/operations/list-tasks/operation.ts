import type { TaskPage } from '../../../app/video/list-tasks.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { hasEnded, type TaskSummary, VISIBLE_STATUSES } from '../../../domain/video/task.ts'
import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'

const Item = json.object({
  id: json.string(),
  object: json.literal('video.generation.task'),
  created: json.integer({ description: 'Unix seconds' }),
  model: json.string(),
  status: json.oneOf(VISIBLE_STATUSES),
  completed_at: json.optional(json.integer({ description: 'Unix seconds; only when the task has ended' })),
})

export const listTasks: Operation = {
  id: 'listTasks',
  method: 'GET',
  path: '/v1/video/generations',
  area: 'video',
  access: 'api-key',
  summary: 'List video tasks',
  description: 'The tasks of this API key that are not deleted, newest first, as they were last seen.',
  query: {
    limit: {
      schema: json.integer({ minimum: 0, default: 20 }),
      description: 'Tasks on a page. 0 means 20; more than 100 is taken as 100.',
    },
    cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
  },
  replies: {
    200: {
      description: 'One page of tasks.',
      schema: json.object({
        object: json.literal('list'),
        data: json.array(Item),
        has_more: json.boolean(),
        next_cursor: json.string({ description: 'Empty on the last page.' }),
      }),
    },
    400: { description: 'The limit or the cursor is not valid.' },
  },
  handle:
    ({ app }) =>
    async (request) => {
      const query = parseListQuery(request.query)
      const page = await app.listTasks({ ...query, caller: request.caller })
      return presentTaskPage(page)
    },
}

function presentTaskPage({ tasks, nextCursor }: TaskPage): object {
  return {
    object: 'list',
    data: tasks.map(presentTask),
    has_more: nextCursor !== undefined,
    next_cursor: nextCursor ?? '',
  }
}

/** The compact form of a task. */
function presentTask({ id, model, status, createdAtMs, completedAtMs }: TaskSummary): object {
  const item = { id, object: 'video.generation.task', created: unixSeconds(createdAtMs), model, status }
  if (completedAtMs === null || !hasEnded(status)) return item
  return { ...item, completed_at: unixSeconds(completedAtMs) }
}

function unixSeconds(unixMs: number): number {
  return Math.floor(unixMs / 1000)
}

interface ListQuery {
  limit: number
  cursor: string | undefined
}

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100
const DIGITS = /^[0-9]+$/

function parseListQuery(query: unknown): ListQuery {
  const { limit, cursor }: { limit?: unknown; cursor?: unknown } = Object(query)
  return { limit: parseLimit(limit), cursor: parseCursor(cursor) }
}

/** Plain digits only: what other spellings mean is a guess, and two limits are none. */
function parseLimit(limit: unknown): number {
  if (limit === undefined) return LIMIT_DEFAULT
  if (typeof limit !== 'string' || !DIGITS.test(limit)) {
    throw new ApiError('invalid_parameter', {
      param: 'limit',
      message: 'limit must be an integer that is not negative.',
    })
  }
  const asked = Number(limit)
  return asked === 0 ? LIMIT_DEFAULT : Math.min(asked, LIMIT_MAX)
}

/** An empty cursor is none: programs that page in a loop begin with one. */
function parseCursor(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === '') return undefined
  if (typeof cursor !== 'string') throw new ApiError('invalid_cursor', { param: 'cursor' })
  return cursor
}
