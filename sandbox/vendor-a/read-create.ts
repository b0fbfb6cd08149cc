import { randomInt } from 'node:crypto'
import { isRatio, isResolution, RATIOS, RESOLUTIONS } from '../clips/picture-size.ts'
import { readScriptWords } from '../tasks/script-words.ts'
import { invalidParameter, type VendorAError } from './error-reply.ts'
import type { VendorAOrder } from './task.ts'

export type ReadCreate = { order: VendorAOrder; callbackUrl: URL | undefined } | { error: VendorAError }

const SEED_MAX = 2 ** 32 - 1
/** Maximum length: the model becomes a part of the id. */
const MODEL_CHARACTERS_MAX = 200
const DAYS_2_SECONDS = 172_800

/** Reads a create body with all checks of a strict vendor. */
export function readCreate(bytes: Buffer): ReadCreate {
  const body = parseObject(bytes)
  if (body === undefined) return { error: invalidParameter('', 'The request body is not a JSON object.') }
  if (typeof body.model !== 'string' || body.model === '' || body.model.length > MODEL_CHARACTERS_MAX) {
    return { error: invalidParameter('model', 'The parameter `model` is missing or too long.') }
  }
  const content = readContent(body.content)
  if ('code' in content) return { error: content }
  const error = checkOptions(body) ?? checkDraft(body, content)
  if (error !== undefined) return { error }
  return {
    order: orderOf({ model: body.model, body, content }),
    callbackUrl:
      typeof body.callback_url === 'string' ? (URL.parse(body.callback_url) ?? undefined) : undefined,
  }
}

interface Option {
  fits(value: unknown): boolean
  expected: string
}

const isBoolean: Option = { fits: (value) => typeof value === 'boolean', expected: 'a boolean' }

/** Fields of a body beside `model` and `content`. */
const OPTIONS: Readonly<Record<string, Option>> = {
  ratio: { fits: isRatio, expected: `one of ${RATIOS.join(', ')}` },
  resolution: { fits: isResolution, expected: `one of ${RESOLUTIONS.join(', ')}` },
  duration: integer({ min: 4, max: 15 }),
  seed: integer({ min: -1, max: SEED_MAX }),
  framespersecond: integer({ min: 1, max: 120 }),
  generate_audio: isBoolean,
  draft: isBoolean,
  watermark: isBoolean,
  return_last_frame: isBoolean,
  service_tier: {
    fits: (value) => typeof value === 'string' && /^\S{1,64}$/.test(value),
    expected: 'the name of a tier',
  },
  execution_expires_after: integer({ min: 1, max: 31_536_000 }),
  callback_url: {
    fits: (value) => ['http:', 'https:'].includes(URL.parse(String(value))?.protocol ?? ''),
    expected: 'an HTTP address',
  },
}

function integer({ min, max }: { min: number; max: number }): Option {
  return {
    fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
    expected: `an integer from ${min} to ${max}`,
  }
}

function checkOptions(body: Record<string, unknown>): VendorAError | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (name === 'model' || name === 'content') continue
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
    if (option === undefined) return invalidParameter(name, `The parameter \`${name}\` is not supported.`)
    if (!option.fits(value)) {
      return invalidParameter(name, `The parameter \`${name}\` must be ${option.expected}.`)
    }
  }
  return undefined
}

function checkDraft({ draft }: Record<string, unknown>, { images }: Content): VendorAError | undefined {
  if (draft !== true || images > 0) return undefined
  return invalidParameter('draft', 'The parameter `draft` is only valid in image-to-video.')
}

function orderOf({
  model,
  body,
  content,
}: {
  model: string
  body: Record<string, unknown>
  content: Content
}): VendorAOrder {
  const number = (name: string, otherwise: number) => {
    const value = body[name]
    return typeof value === 'number' ? value : otherwise
  }
  const seed = number('seed', -1)
  return {
    model,
    words: readScriptWords(content.texts),
    resolution: isResolution(body.resolution) ? body.resolution : '720p',
    ratio: isRatio(body.ratio) ? body.ratio : '16:9',
    videoSeconds: number('duration', 5),
    referenceVideos: content.videos,
    seed: seed === -1 ? randomInt(SEED_MAX) : seed,
    framesPerSecond: number('framespersecond', 24),
    hasAudio: body.generate_audio !== false,
    isDraft: body.draft === true,
    serviceTier: typeof body.service_tier === 'string' ? body.service_tier : 'default',
    expiresAfterSeconds: number('execution_expires_after', DAYS_2_SECONDS),
    returnsLastFrame: body.return_last_frame === true,
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

interface Content {
  texts: readonly string[]
  images: number
  videos: number
}

/** Reads `content`, or returns the problem. */
function readContent(value: unknown): Content | VendorAError {
  if (!Array.isArray(value) || value.length === 0) {
    return invalidParameter('content', 'The parameter `content` must be an array with at least one item.')
  }
  const items: unknown[] = value
  const texts: string[] = []
  const count = { image_url: 0, video_url: 0, audio_url: 0 }
  for (const [at, item] of items.entries()) {
    const param = `content[${at}]`
    if (!isObject(item)) return invalidParameter(param, `\`${param}\` must be an object.`)
    const { type } = item
    if (type === 'text') {
      const error = checkText(item, param)
      if (error !== undefined) return error
      texts.push(String(item.text))
    } else if (type === 'image_url' || type === 'video_url' || type === 'audio_url') {
      const error = checkMedia(item, { type, param })
      if (error !== undefined) return error
      count[type] += 1
    } else {
      return invalidParameter(`${param}.type`, `The content type ${JSON.stringify(type)} is not supported.`)
    }
  }
  if (count.audio_url > 0 && count.image_url + count.video_url === 0) {
    return invalidParameter('content', 'Audio needs an image or a video to go with.')
  }
  return { texts, images: count.image_url, videos: count.video_url }
}

type MediaType = 'image_url' | 'video_url' | 'audio_url'

const ROLES: Readonly<Record<MediaType, readonly unknown[]>> = {
  image_url: ['reference_image', 'first_frame', 'last_frame'],
  video_url: ['reference_video'],
  audio_url: ['reference_audio'],
}

function checkText(item: Record<string, unknown>, param: string): VendorAError | undefined {
  if (typeof item.text !== 'string' || item.text.trim() === '') {
    return invalidParameter(`${param}.text`, 'A text item must have a text.')
  }
  return checkMembers(item, { allowed: ['type', 'text'], param })
}

function checkMedia(
  item: Record<string, unknown>,
  { type, param }: { type: MediaType; param: string },
): VendorAError | undefined {
  const source = item[type]
  const url = isObject(source) ? source.url : undefined
  if (typeof url !== 'string' || !isReachable(url)) {
    return invalidParameter(`${param}.${type}.url`, `The URL of \`${param}\` is missing or not valid.`)
  }
  if (item.role !== undefined && !ROLES[type].includes(item.role)) {
    return invalidParameter(`${param}.role`, `The role of \`${param}\` must be ${ROLES[type].join(' or ')}.`)
  }
  return checkMembers(item, { allowed: ['type', 'role', type], param })
}

function isReachable(url: string): boolean {
  return /^asset:\/\/[\w.-]+$/.test(url) || ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '')
}

function checkMembers(
  item: Record<string, unknown>,
  { allowed, param }: { allowed: readonly string[]; param: string },
): VendorAError | undefined {
  const strange = Object.keys(item).find((name) => !allowed.includes(name))
  if (strange === undefined) return undefined
  return invalidParameter(`${param}.${strange}`, `\`${param}\` must not have \`${strange}\`.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
