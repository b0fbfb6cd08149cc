import { isJsonObject } from '@sluice/dialects/json/json-object'
import { parseExact } from '@sluice/dialects/json/parse-exact'
import type { App } from '../../app/app.ts'
import type { Upload } from '../../app/media/place-upload.ts'
import { type JsonSchema, json } from '../../domain/json/json-schema.ts'
import type { VideoRequest } from '../../domain/video/request.ts'
import type { TaskView } from '../../domain/video/task-view.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { Operation } from '../operation.ts'
import { digestBody } from '../schema/digest-body.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX, readIdempotencyKey } from '../schema/read-idempotency-key.ts'

/** A create call, as the reader of its format returns it. */
export interface ReadOrder {
  order: VideoRequest
  quoteId: string | undefined
  /** A file of the request; the order contains its link. */
  upload?: Upload | undefined
}

export const IDEMPOTENCY_HEADER: NonNullable<Operation['headers']> = {
  'Idempotency-Key': {
    schema: json.string({ maxLength: IDEMPOTENCY_KEY_LENGTH_MAX }),
    description:
      'Printable ASCII characters of your choice, at least one. Requests of this API key with the same value are one request.',
  },
}

export const REFUSED_ORDERS: Operation['replies'] = {
  400: { description: '`body must be valid JSON`, or a parameter, a combination or the content is refused.' },
  402: { description: 'The balance does not cover what the video is likely to cost.' },
  404: { description: 'There is no such video model.' },
  409: { description: 'A request with this `Idempotency-Key` has no answer yet.' },
  422: { description: 'This `Idempotency-Key` came with another body before.' },
  429: { description: 'Too many requests, the daily limit of the user is reached, or the vendor is busy.' },
  503: {
    description:
      'The vendor is not configured, not available or did not answer, the model has no price, the store is unreachable, or the gateway is busy.',
  },
}

/** Creates a task, once per `Idempotency-Key`. A header tells the client when its callback will never be called. */
export async function takeOrder(
  read: () => ReadOrder | Promise<ReadOrder>,
  { request, reply }: { request: EdgeRequest; reply: EdgeReply },
  app: App,
): Promise<TaskView> {
  const key = readIdempotencyKey(request.headers)
  const { order, quoteId, upload } = await read()
  const task = await app.createTask({
    request: order,
    caller: request.caller,
    requestId: request.id,
    quoteId,
    upload,
    idempotency: key === undefined ? undefined : { key, bodyDigest: digestBody(exactBody(request)) },
  })
  if (order.callbackUrl !== undefined && !task.owesCallback) reply.header(CALLBACK_HEADER, 'none')
  return task
}

const CALLBACK_HEADER = 'x-sluice-callback'

/** Tools for body readers: the URLs and models that the caller may use. */
export function modelTools({ caller }: Pick<EdgeRequest, 'caller'>, { isAllowedUrl, findVideoModel }: App) {
  return { isAllowedUrl, findVideoModel: (name: string) => findVideoModel(name, caller.organizationId) }
}

/** Keeps the digits of numbers: two different numbers beyond 2^53 can be equal after `JSON.parse`. */
function exactBody({ body, bodyBytes }: Pick<EdgeRequest, 'body' | 'bodyBytes'>): unknown {
  return bodyBytes === undefined ? body : parseExact(bodyBytes.toString())
}

const IGNORED_HEADER = 'x-sluice-ignored'
const IGNORED_NAMES_MAX = 32
const NAME_LENGTH_MAX = 64

export const CREATE_HEADERS: Record<string, string> = {
  [CALLBACK_HEADER]:
    '`none` where the request has a `callback_url` that will never be called: the operator has not set this up for the model. Ask for the task instead.',
  [IGNORED_HEADER]: `The top-level fields that had no effect, comma-separated, at most the first ${IGNORED_NAMES_MAX}: unknown ones, and those that the vendors of the model have no use for. Absent when there are none.`,
}

/**
 * Adds the header with the top-level fields without effect, unless there are none. Clients choose the names, so
 * unusual characters become `?`, and long names and lists are cut.
 */
export function nameIgnored(
  { properties = {} }: JsonSchema,
  { request, reply, model }: { request: EdgeRequest; reply: Pick<EdgeReply, 'header'>; model: string },
  app: App,
): void {
  const { body } = request
  if (!isJsonObject(body)) return
  const unused = modelTools(request, app).findVideoModel(model)?.unusedFields
  const ignored = Object.keys(body).filter(
    (name) => !Object.hasOwn(properties, name) || (unused?.includes(name) === true && body[name] !== null),
  )
  if (ignored.length === 0) return
  const names = ignored
    .slice(0, IGNORED_NAMES_MAX)
    .map((name) => name.slice(0, NAME_LENGTH_MAX).replaceAll(/[^\w.-]/g, '?') || '?')
  reply.header(IGNORED_HEADER, names.join(', '))
}
