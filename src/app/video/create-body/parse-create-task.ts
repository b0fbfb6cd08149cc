import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { walkMembers } from '@sluice/dialects/json/walk-members'
import { hasAtMost } from '@sluice/dialects/values/characters'
import { ApiError } from '../../../domain/api-error.ts'
import { parseHttpsUrl, type UrlCheck } from '../../../domain/parse-https-url.ts'
import type { VideoModel } from '../../../domain/video/families/families.ts'
import { RATIOS, type Ratio, type VideoRequest } from '../../../domain/video/request.ts'
import { QUOTE_ID_LENGTH_MAX } from '../quote-id.ts'
import {
  DURATION_SECONDS_MAX,
  DURATION_SECONDS_MIN,
  EXPIRES_AFTER_SECONDS_MAX,
  METADATA_BYTES_MAX,
  METADATA_MEMBERS_MAX,
  SHORT_TEXT_LENGTH_MAX,
} from './bounds.ts'
import { parseContent } from './parse-content.ts'

type FindVideoModel = (name: string) => VideoModel | undefined

/** Reads the body of a create call. Invalid fields are refused; fields that the contract ignores are dropped. */
export function parseCreateTask(
  body: unknown,
  bytes: Buffer | undefined,
  { isAllowedUrl, findVideoModel }: { isAllowedUrl: UrlCheck; findVideoModel: FindVideoModel },
): VideoRequest {
  if (!isJsonObject(body) || bytes === undefined) {
    throw new ApiError('invalid_parameter', { message: 'The body must be a JSON object.' })
  }
  return {
    model: parseModel(body.model),
    items: parseContent(body.content, isAllowedUrl),
    taskType: parseTaskType(body, findVideoModel),
    durationSeconds: readInteger(body, 'duration', { min: DURATION_SECONDS_MIN, max: DURATION_SECONDS_MAX }),
    ratio: parseRatio(body),
    resolution: readShortText(body, 'resolution'),
    seed: readInteger(body, 'seed'),
    framesPerSecond: readInteger(body, 'framespersecond'),
    generateAudio: readBoolean(body, 'generate_audio'),
    draft: readBoolean(body, 'draft'),
    serviceTier: readShortText(body, 'service_tier'),
    watermark: readBoolean(body, 'watermark'),
    returnLastFrame: readBoolean(body, 'return_last_frame'),
    callbackUrl: parseCallbackUrl(body.callback_url, isAllowedUrl),
    executionExpiresAfterSeconds: readInteger(body, 'execution_expires_after', {
      min: 1,
      max: EXPIRES_AFTER_SECONDS_MAX,
    }),
    metadata: parseMetadata(body, bytes),
  }
}

/** undefined: the task is charged without a quote. */
export function readQuoteId(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined
  const id = body.quote_id
  if (id === undefined || id === null) return undefined
  if (typeof id === 'string' && hasAtMost(QUOTE_ID_LENGTH_MAX, id)) return id
  throw mustBe('quote_id', `a string of at most ${QUOTE_ID_LENGTH_MAX} characters`)
}

/** Checks only that the model is a name; the catalog is asked later. */
export function parseModel(model: unknown): string {
  if (model === undefined || model === null || (typeof model === 'string' && model.trim() === '')) {
    throw new ApiError('missing_parameter', { param: 'model', message: 'model is required.' })
  }
  if (typeof model === 'string') return model
  throw new ApiError('invalid_parameter', { param: 'model', message: 'model must be a string.' })
}

/** The field may have any value if the model's family does not use it. */
function parseTaskType(body: JsonObject, findVideoModel: FindVideoModel): string | undefined {
  const family = typeof body.model === 'string' ? findVideoModel(body.model)?.family : undefined
  return family?.unusedFields.includes('task_type') ? undefined : readShortText(body, 'task_type')
}

/** A blank string is refused too. */
function parseRatio({ ratio: given }: JsonObject): Ratio | undefined {
  if (given === undefined || given === null) return undefined
  const ratio = RATIOS.find((known) => typeof given === 'string' && known === given.trim())
  if (ratio !== undefined) return ratio
  throw new ApiError('invalid_parameter', {
    param: 'ratio',
    message: `ratio must be one of ${RATIOS.join(', ')}.`,
  })
}

/** An empty string is refused too, because its client expects a callback. */
export function parseCallbackUrl(url: unknown, isAllowedUrl: UrlCheck): string | undefined {
  if (url === undefined || url === null) return undefined
  return parseHttpsUrl(url, 'callback_url', isAllowedUrl)
}

const NONE = '{}'

/** Returns the text of `metadata` as it stands in the body; the text is stored and shown unchanged. */
export function parseMetadata({ metadata }: JsonObject, bytes: Buffer): string {
  if (metadata === undefined || metadata === null) return NONE
  if (!isJsonObject(metadata)) throw wrong('metadata must be a JSON object.')
  const text = textOfMetadata(bytes)
  if (Buffer.byteLength(text) > METADATA_BYTES_MAX) {
    throw wrong(`metadata must have at most ${METADATA_BYTES_MAX} bytes of JSON.`)
  }
  if (countMembers(metadata) > METADATA_MEMBERS_MAX) {
    throw wrong(`metadata must have at most ${METADATA_MEMBERS_MAX} members, counted over all levels.`)
  }
  return text
}

/** The last of two members with the same name counts, as in the parsed value. */
function textOfMetadata(bytes: Buffer): string {
  const latin1 = bytes.toString('latin1')
  let place: [start: number, end: number] = [0, 0]
  walkMembers(latin1, latin1.indexOf('{'), (name, start, end) => {
    if (name === 'metadata') place = [start, end]
    return undefined
  })
  return bytes.toString('utf8', ...place)
}

/** The depth was bounded when the body was parsed. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  return members.reduce<number>((count, member) => count + countMembers(member), members.length)
}

function wrong(message: string): ApiError {
  return new ApiError('invalid_parameter', { param: 'metadata', message })
}

interface IntegerBounds {
  min: number
  max: number
}

/** A JSON number beyond these bounds may have lost digits in parsing, and be forwarded as another number. */
const EXACT: IntegerBounds = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** Treats `null` as absent, like `readBoolean` and `readShortText`. */
function readInteger(body: JsonObject, name: string, bounds: IntegerBounds = EXACT): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max) {
    return value
  }
  throw mustBe(name, `an integer from ${bounds.min} to ${bounds.max}`)
}

export function readBoolean(body: JsonObject, name: string): boolean | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw mustBe(name, 'true or false')
}

/** Trims the text; a blank string counts as absent. */
function readShortText(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value.trim() : undefined
  if (text === undefined || !hasAtMost(SHORT_TEXT_LENGTH_MAX, text)) {
    throw mustBe(name, `a string of at most ${SHORT_TEXT_LENGTH_MAX} characters`)
  }
  return text === '' ? undefined : text
}

function mustBe(name: string, expected: string): ApiError {
  return new ApiError('invalid_parameter', { param: name, message: `${name} must be ${expected}.` })
}
