import { isJsonObject } from '@sluice/dialects/json/json-object'
import { parseExact } from '@sluice/dialects/json/parse-exact'
import { CREATE_BODY_BYTES_MAX } from '../../../app/video/create-body/bounds.ts'
import { parseCreateTask, readQuoteId } from '../../../app/video/create-body/parse-create-task.ts'
import { VIDEO_PATH } from '../../../domain/catalog/model-endpoints.ts'
import { json } from '../../../domain/json/json-schema.ts'
import type { VideoModel } from '../../../domain/video/families/families.ts'
import { hasEnded } from '../../../domain/video/task.ts'
import type { TaskView } from '../../../domain/video/task-view.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import type { Operation } from '../../operation.ts'
import { digestBody } from '../../schema/digest-body.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX, readIdempotencyKey } from '../../schema/read-idempotency-key.ts'
import { newTaskJson, taskJson } from '../get-task/present-task.ts'
import { TASK_END, TASK_HEAD } from '../get-task/task-schema.ts'
import { CreateTaskBody } from './body-schema.ts'

const IGNORED_HEADER = 'x-sluice-ignored'
const IGNORED_NAMES_MAX = 32
const NAME_LENGTH_MAX = 64

export const createTask: Operation = {
  id: 'createTask',
  method: 'POST',
  path: VIDEO_PATH,
  area: 'video',
  access: 'api-key',
  summary: 'Create a video task',
  description:
    'Answers as soon as the vendor has taken the task. With an `Idempotency-Key` the request can be repeated: for 24 hours the same key with the same body makes no other task and answers with the first one, as it is then. Of a task that was deleted since, only its head is shown, with its last status.',
  headers: {
    'Idempotency-Key': {
      schema: json.string({ maxLength: IDEMPOTENCY_KEY_LENGTH_MAX }),
      description:
        'Printable ASCII characters of your choice, at least one. Requests of this API key that carry the same are one request.',
    },
  },
  body: { schema: CreateTaskBody, limitBytes: CREATE_BODY_BYTES_MAX, keepsBytes: true },
  replies: {
    200: {
      description: 'The task, usually `queued`. Result fields are present only after the task has finished.',
      schema: json.object({ ...TASK_HEAD, ...TASK_END }),
      headers: {
        [IGNORED_HEADER]: `The top-level fields that had no effect, comma-separated, at most the first ${IGNORED_NAMES_MAX}: unknown ones, and those that the vendors of the model have no use for. Absent when there are none.`,
      },
    },
    400: {
      description: '`body must be valid JSON`, or a parameter, a combination or the content is refused.',
    },
    402: { description: 'The balance does not cover what the video is likely to cost.' },
    404: { description: 'There is no such video model.' },
    409: { description: 'A request with this `Idempotency-Key` has no answer yet.' },
    422: { description: 'This `Idempotency-Key` came with another body before.' },
    429: { description: 'Too many requests, the daily limit of the user is reached, or the vendor is busy.' },
    503: {
      description:
        'The vendor is not configured, not available or did not answer, the model has no price, the store is unreachable, or the gateway is busy.',
    },
  },
  handle:
    ({ app }) =>
    async (request, reply) => {
      const key = readIdempotencyKey(request.headers)
      const { isAllowedUrl } = app
      const findVideoModel = (name: string) => app.findVideoModel(name, request.caller.organizationId)
      const order = parseCreateTask(request.body, request.bodyBytes, { isAllowedUrl, findVideoModel })
      const task = await app.createTask({
        request: order,
        caller: request.caller,
        requestId: request.id,
        quoteId: readQuoteId(request.body),
        idempotency: key === undefined ? undefined : { key, bodyDigest: digestBody(exactBody(request)) },
      })
      const ignored = ignoredFieldsHeader(request.body, findVideoModel)
      if (ignored !== undefined) reply.header(IGNORED_HEADER, ignored)
      reply.type('application/json; charset=utf-8')
      return presentNewTask(task)
    },
}

/** Two different numbers beyond 2^53 can be equal after parsing. */
function exactBody({ body, bodyBytes }: Pick<EdgeRequest, 'body' | 'bodyBytes'>): unknown {
  return bodyBytes === undefined ? body : parseExact(bodyBytes.toString())
}

/**
 * A client that reads that the task has ended does not ask again, and so gets all of it. For a deleted task a
 * repeated request shows only that there was one.
 */
function presentNewTask(task: TaskView): string {
  return hasEnded(task.status) && task.deletedAtMs === null ? taskJson(task) : newTaskJson(task)
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(CreateTaskBody.properties ?? {}))

/**
 * Header value with the top-level fields without effect; undefined when there are none. Clients choose the names, so
 * other than plain characters become `?`, and long names and lists are cut.
 */
function ignoredFieldsHeader(
  body: unknown,
  findVideoModel: (name: string) => VideoModel | undefined,
): string | undefined {
  if (!isJsonObject(body)) return undefined
  const family = typeof body.model === 'string' ? findVideoModel(body.model)?.family : undefined
  const ignored = Object.keys(body).filter(
    (name) => !KNOWN.has(name) || (family?.unusedFields.includes(name) === true && body[name] !== null),
  )
  if (ignored.length === 0) return undefined
  return ignored
    .slice(0, IGNORED_NAMES_MAX)
    .map((name) => name.slice(0, NAME_LENGTH_MAX).replaceAll(/[^\w.-]/g, '?') || '?')
    .join(', ')
}
