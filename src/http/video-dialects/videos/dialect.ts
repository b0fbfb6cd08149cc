import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { hasAtMost } from '@sluice/dialects/values/characters'
import { isNil } from '@sluice/dialects/values/values'
import type { App } from '../../../app/app.ts'
import { FORM_BYTES_MAX, TEXT_LENGTH_MAX } from '../../../app/video/create-body/bounds.ts'
import { parseMediaUrl } from '../../../app/video/create-body/parse-content.ts'
import {
  parseCallbackUrl,
  parseMetadata,
  parseModel,
  readBoolean,
  readQuoteId,
} from '../../../app/video/create-body/parse-create-task.ts'
import type { DetailedTask } from '../../../app/video/task-details.ts'
import { unixSeconds } from '../../../app/views/times.ts'
import type { Caller } from '../../../domain/access/api-key.ts'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { VIDEO_SIZES } from '../../../domain/billing/estimate-video-tokens.ts'
import { plainResolution } from '../../../domain/catalog/price-row.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { videoModelOf } from '../../../domain/video/families/families.ts'
import type { ContentItem } from '../../../domain/video/request.ts'
import type { TaskStatus } from '../../../domain/video/task.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import { parsePageQuery } from '../../schema/page-query.ts'
import { isId } from '../../schema/parse-id.ts'
import type { VideoDialect } from '../dialect.ts'
import { dialectId, taskIdIn } from '../dialect-id.ts'
import type { ReadOrder } from '../take-order.ts'
import { CreateVideoBody, CreateVideoForm, SECONDS_PATTERN, Video } from './video-schema.ts'

const LINK_SECONDS = 24 * 3_600

const SHOWN: Record<TaskStatus, { status: string; progress: number }> = {
  submitting: { status: 'queued', progress: 0 },
  queued: { status: 'queued', progress: 0 },
  running: { status: 'in_progress', progress: 50 },
  succeeded: { status: 'completed', progress: 100 },
  failed: { status: 'failed', progress: 0 },
  cancelled: { status: 'failed', progress: 0 },
}

const IDS = { idName: 'video_id', idPrefix: 'video_' } as const
const ORDERS = ['asc', 'desc'] as const

/** The shape of OpenAI's Videos API, which other gateways and their clients share. */
export const videos: VideoDialect = {
  ...IDS,
  path: '/v1/videos',
  create: {
    id: 'createVideo',
    summary: 'Create a video, in the shape of the Videos API',
    description:
      'For clients of the Videos API, such as the official `openai` package: JSON, or the form that the package sends. It makes the same task as `POST /v1/video/generations`, which can be read there with `task_` in place of `video_`.',
    body: { schema: CreateVideoBody, formBytesMax: FORM_BYTES_MAX, formSchema: CreateVideoForm },
    reply: Video,
    read: readVideo,
    inOwnFields,
    present: (task) => presentVideo(task, dialectId(IDS, task.id)),
  },
  get: {
    id: 'getVideo',
    summary: 'Get a video, in the shape of the Videos API',
    description: 'The task of this id, however it was made, in the latest state its vendor reports in time.',
    reply: Video,
    present: (task) => presentVideo(task, dialectId(IDS, task.id)),
  },
  list: {
    id: 'listVideos',
    summary: 'List videos, in the shape of the Videos API',
    description: 'The tasks of this API key that are not deleted, however they were made, as last seen.',
    query: {
      limit: {
        schema: json.integer({ minimum: 0, default: 20 }),
        description: 'Videos on a page. 0 means 20; more than 100 is taken as 100.',
      },
      after: {
        schema: json.string({ pattern: '^(?:video_[\\w-]{0,59})?$' }),
        description: 'The last `id` of the page before.',
      },
      order: {
        schema: json.oneOf(ORDERS),
        description: 'Order by the time of creation; the default is `desc`.',
      },
    },
    reply: json.object({
      object: json.literal('list'),
      data: json.array(Video),
      first_id: json.nullable(json.string()),
      last_id: json.nullable(json.string()),
      has_more: json.boolean(),
    }),
    list: listVideos,
  },
  remove: {
    id: 'deleteVideo',
    summary: 'Delete a video, in the shape of the Videos API',
    description: 'Works like `DELETE /v1/video/generations/{task_id}`.',
    reply: json.object({
      id: json.string(),
      object: json.literal('video.deleted'),
      deleted: json.literal(true),
    }),
    present: (id) => ({ id, object: 'video.deleted', deleted: true }),
  },
}

async function listVideos({ query, caller }: EdgeRequest, app: App): Promise<object> {
  const { limit } = parsePageQuery(query, { limitDefault: 20, limitMax: 100 })
  const { after, order }: { after?: unknown; order?: unknown } = Object(query)
  const { tasks, hasMore } = await app.listDetailedTasks({
    ...{ caller, filter: {}, limit },
    order: parseOrder(order),
    afterId: parseAfter(after),
  })
  const data = tasks.map((task) => presentVideo(task, dialectId(IDS, task.id)))
  const [first, last] = [tasks.at(0), tasks.at(-1)].map((task) => task && dialectId(IDS, task.id))
  return { object: 'list', data, first_id: first ?? null, last_id: last ?? null, has_more: hasMore }
}

function parseOrder(order: unknown): 'asc' | 'desc' {
  const known = order === undefined ? 'desc' : ORDERS.find((one) => one === order)
  if (known !== undefined) return known
  throw invalidParameter('order', 'order must be asc or desc.')
}

/** An empty value counts as none: programs that page in a loop begin with an empty one. */
function parseAfter(after: unknown): string | undefined {
  if (after === undefined || after === '') return undefined
  const id = typeof after === 'string' ? taskIdIn(IDS, after) : undefined
  if (isId(id)) return id
  const message = 'after must be the id of a video of this API key.'
  throw new ApiError('invalid_cursor', { param: 'after', message })
}

/** Fields of this format by the field of the contract that an error names. */
const OWN_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^duration$/, 'seconds'],
  [/^(?:resolution|ratio)$/, 'size'],
  [/^content\[0\]/, 'prompt'],
  [/^(?:content|task_type)/, 'input_reference'],
]

/** Returns an error of a rule with the field that the client sent; anything else unchanged. */
export function inOwnFields(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const { param, code, message, cause } = error
  const own = OWN_FIELDS.find(([of]) => param !== null && of.test(param))?.[1]
  if (own === undefined || param === null) return error
  if (param === 'task_type') return new ApiError(code, { param: own, message: NEEDS_MORE, cause })
  const isSameValue = own === 'seconds' && message.startsWith(param)
  const text = isSameValue ? own + message.slice(param.length) : `${own}: ${message}`
  return new ApiError(code, { param: own, message: text, cause })
}

const NEEDS_MORE =
  'This model makes no video of a prompt alone: give input_reference, or order with POST /v1/video/generations.'

/** The video object under the given id. Prompts are not kept. */
function presentVideo(task: DetailedTask, id: string): object {
  const { model, createdAtMs, completedAtMs } = task
  const completedAt = completedAtMs === null ? null : unixSeconds(completedAtMs)
  const isCompleted = task.status === 'succeeded' && completedAt !== null
  return {
    id,
    object: 'video',
    created_at: unixSeconds(createdAtMs),
    completed_at: completedAt,
    expires_at: isCompleted ? completedAt + LINK_SECONDS : null,
    model,
    ...SHOWN[task.status],
    prompt: null,
    remixed_from_video_id: null,
    seconds: String(task.order.duration ?? 5),
    size: sizeOf(task),
    error: errorOf(task),
  }
}

/** An order contains both values; only a very old task has no order. */
function sizeOf({ order: { ratio = '16:9', resolution = '720p' } }: DetailedTask): string {
  const known = plainResolution(String(resolution))
  for (const [size, one] of VIDEO_SIZES) if (one.ratio === ratio && one.resolution === known) return size
  return String(resolution)
}

function errorOf({ status, error }: DetailedTask): object | null {
  if (status === 'cancelled') return { code: 'cancelled', message: 'The video was cancelled.' }
  if (status !== 'failed') return null
  const { code, message } = error ?? { code: 'generation_failed', message: 'The generation failed.' }
  return { code, message }
}

/** Reads a create call. Fields that the client leaves out are not sent to the vendor. */
async function readVideo(request: EdgeRequest, app: App): Promise<ReadOrder> {
  const { body, bodyBytes, caller, formFiles } = request
  if (!isJsonObject(body) || bodyBytes === undefined)
    throw invalidParameter(undefined, 'The body must be an object.')
  const { isAllowedUrl } = app
  const size = readSize(body.size)
  const file = formFiles?.get('input_reference')
  const upload = file && app.placeUpload?.(file)
  const reference = upload?.url ?? readReference(body.input_reference, isAllowedUrl)
  const order = {
    items: [readPrompt(body.prompt), ...(reference === undefined ? [] : [imageOf(reference)])],
    taskType: undefined,
    durationSeconds: readSeconds(body.seconds),
    ratio: size?.ratio,
    resolution: size?.resolution,
    seed: undefined,
    framesPerSecond: undefined,
    generateAudio: undefined,
    draft: undefined,
    serviceTier: undefined,
    watermark: readFlag(body, 'watermark'),
    returnLastFrame: readFlag(body, 'return_last_frame'),
    callbackUrl: parseCallbackUrl(body.callback_url, isAllowedUrl),
    executionExpiresAfterSeconds: undefined,
    metadata: parseMetadata(body, bodyBytes),
  }
  const quoteId = readQuoteId(body)
  const model = isNil(body.model) ? await defaultModel(caller, app) : parseModel(body.model)
  return { order: { ...order, model }, quoteId, upload }
}

export function readPrompt(prompt: unknown): ContentItem {
  if (isNil(prompt) || (typeof prompt === 'string' && prompt.trim() === ''))
    throw new ApiError('missing_parameter', { param: 'prompt', message: 'prompt is required.' })
  if (typeof prompt === 'string' && hasAtMost(TEXT_LENGTH_MAX, prompt))
    return { kind: 'text', text: prompt, role: undefined, index: 0 }
  throw invalidParameter('prompt', `prompt must be a string of at most ${TEXT_LENGTH_MAX} characters.`)
}

const WHOLE_SECONDS = new RegExp(SECONDS_PATTERN)

/** The official client sends a string. */
function readSeconds(seconds: unknown): number | undefined {
  if (isNil(seconds)) return undefined
  const isWritten = typeof seconds === 'string' || typeof seconds === 'number'
  if (isWritten && WHOLE_SECONDS.test(String(seconds))) return Number(seconds)
  throw invalidParameter('seconds', 'seconds must be a whole number from 4 to 9999.')
}

/** A form has texts only. */
function readFlag(body: JsonObject, name: string): boolean | undefined {
  const flag = body[name]
  return flag === 'true' || flag === 'false' ? flag === 'true' : readBoolean(body, name)
}

function readSize(size: unknown) {
  if (isNil(size)) return undefined
  const found = typeof size === 'string' ? VIDEO_SIZES.get(size) : undefined
  if (found !== undefined) return found
  throw invalidParameter('size', `size must be one of ${[...VIDEO_SIZES.keys()].join(', ')}.`)
}

const WHAT_TO_DO =
  'Upload it with POST /v1/video/assets, and give asset://<asset_id> or an HTTPS link as input_reference.'

function readReference(reference: unknown, isAllowedUrl: App['isAllowedUrl']): string | undefined {
  if (isNil(reference)) return undefined
  const url = isJsonObject(reference) ? reference.image_url : reference
  if (typeof url !== 'string')
    throw invalidParameter(
      'input_reference',
      `Uploaded files and file_id are not accepted here. ${WHAT_TO_DO}`,
    )
  return parseMediaUrl(url.trim(), 'input_reference', isAllowedUrl)
}

/** An image without a role: its model decides the use, such as a reference or the first frame. */
function imageOf(url: string): ContentItem {
  return { kind: 'image', url, role: undefined, tag: undefined, timeStampSeconds: undefined, index: 1 }
}

async function defaultModel(caller: Caller, { listModels }: Pick<App, 'listModels'>): Promise<string> {
  const usable = (await listModels(caller)).filter(
    (model) => videoModelOf(model) !== undefined && model.prices.length > 0,
  )
  const [first] = usable.toSorted((one, other) => one.modelId - other.modelId)
  if (first !== undefined) return first.name
  const message = 'model is required: this API key can use no video model.'
  throw new ApiError('missing_parameter', { param: 'model', message })
}
