import type { App } from '../../../app/app.ts'
import { parseCreateTask, readQuoteId } from '../../../app/video/create-body/parse-create-task.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { FAMILIES } from '../../../domain/video/families/families.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import { CreateTaskBody } from '../../operations/create-task/body-schema.ts'
import { TASK_END } from '../../operations/get-task/task-schema.ts'
import type { VideoDialect } from '../dialect.ts'
import { dialectId } from '../dialect-id.ts'
import { modelTools, type ReadOrder } from '../take-order.ts'
import { COUNTED_MAX, NATIVE_QUERY, readNativePage } from './list-query.ts'
import { NATIVE_STATUSES, presentNativeTask, REPEATED } from './present-task.ts'

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

/** The API of the vendor whose format family A has: its clients change only the base URL and the key. */
export const native: VideoDialect = {
  ...IDS,
  unit,
  path: '/api/v3/contents/generations/tasks',
  create: {
    id: 'createNativeTask',
    summary: "Create a video, in family A's own format",
    description:
      "For clients of the vendor's own API: the base URL is `{base_url}/api/v3`. Only models of family A. The roles `first_frame` and `last_frame` of images go to the vendor here. The task can be read at `/v1/video/generations` with `task_` in place of `cgt-`.",
    body: { schema: { ...CreateTaskBody, properties: FIELDS } },
    reply: json.object({ id: json.string({ description: 'The id of the task, which begins with `cgt-`.' }) }),
    read: readNativeTask,
    present: ({ id }) => ({ id: dialectId(IDS, id) }),
  },
  get: {
    id: 'getNativeTask',
    summary: "Get a video, in family A's own format",
    description: 'A task of family A, however it was made, as its vendor sees it now.',
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
