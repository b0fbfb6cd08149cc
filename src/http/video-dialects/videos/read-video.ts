import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { hasAtMost } from '@sluice/dialects/values/characters'
import type { App } from '../../../app/app.ts'
import { TEXT_LENGTH_MAX } from '../../../app/video/create-body/bounds.ts'
import { parseMediaUrl } from '../../../app/video/create-body/parse-content.ts'
import {
  parseCallbackUrl,
  parseMetadata,
  parseModel,
  readBoolean,
  readQuoteId,
} from '../../../app/video/create-body/parse-create-task.ts'
import type { Caller } from '../../../domain/access/api-key.ts'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { VIDEO_SIZES } from '../../../domain/billing/estimate-video-tokens.ts'
import { videoModelOf } from '../../../domain/video/families/families.ts'
import type { ContentItem } from '../../../domain/video/request.ts'
import type { EdgeRequest } from '../../edge-request.ts'
import type { ReadOrder } from '../take-order.ts'
import { SECONDS_PATTERN } from './video-schema.ts'

/** Reads a create call. What the client leaves out is not sent to the vendor. */
export async function readVideo(request: EdgeRequest, app: App): Promise<ReadOrder> {
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

function readPrompt(prompt: unknown): ContentItem {
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

/** An image without a role: family A refers to it, and family B begins with it. */
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

function isNil(value: unknown): value is undefined | null {
  return value === undefined || value === null
}
