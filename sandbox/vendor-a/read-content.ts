import { invalidParameter, type VendorAError } from './error-reply.ts'

export interface Content {
  texts: readonly string[]
  images: number
  videos: number
}

/** Reads `content`, or says what is wrong with it. */
export function readContent(value: unknown): Content | VendorAError {
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

const ROLES: Readonly<Record<MediaType, string>> = {
  image_url: 'reference_image',
  video_url: 'reference_video',
  audio_url: 'reference_audio',
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
  if (item.role !== undefined && item.role !== ROLES[type]) {
    return invalidParameter(`${param}.role`, `The role of \`${param}\` must be ${ROLES[type]}.`)
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
