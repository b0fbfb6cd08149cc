import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { hasAtMost } from '@sluice/dialects/values/characters'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { parseHttpsUrl, URL_LENGTH_MAX, type UrlCheck } from '../../../domain/parse-https-url.ts'
import { assetIdOf } from '../../../domain/video/asset-references.ts'
import type { ContentItem, MediaKind } from '../../../domain/video/request.ts'
import { ITEMS_MAX, TEXT_LENGTH_MAX } from './bounds.ts'

/**
 * Returns the valid items. An item of an unknown type, or without its text or its URL, is dropped. A URL that cannot be
 * used is refused, because dropping it would change the video and its cost.
 */
export function parseContent(content: unknown, isAllowedUrl: UrlCheck): ContentItem[] {
  if (content === undefined || content === null) {
    throw new ApiError('missing_parameter', { param: 'content', message: 'content is required.' })
  }
  if (!Array.isArray(content) || content.length === 0) {
    throw invalidParameter('content', 'content must be an array with at least one item.')
  }
  const items: ContentItem[] = []
  for (const [index, value] of content.entries()) {
    const item = isJsonObject(value) ? parseItem(value, index, isAllowedUrl) : undefined
    if (item !== undefined) items.push(item)
    if (items.length > ITEMS_MAX)
      throw invalidParameter('content', `content must have at most ${ITEMS_MAX} items.`)
  }
  if (items.length > 0) return items
  throw invalidParameter(
    'content',
    'content has no valid item: each needs a type of text, image_url, video_url or audio_url, and its text or its url.',
  )
}

function parseItem(item: JsonObject, index: number, isAllowedUrl: UrlCheck): ContentItem | undefined {
  if (item.type === 'text') return parseTextItem(item, index)
  const kind = MEDIA_KINDS.get(item.type)
  return kind && parseMediaItem(item, { kind, index, isAllowedUrl })
}

const MEDIA_KINDS: ReadonlyMap<unknown, MediaKind> = new Map([
  ['image_url', 'image'],
  ['video_url', 'video'],
  ['audio_url', 'audio'],
])

/** The text is kept unchanged, blanks included. */
function parseTextItem({ text, role }: JsonObject, index: number): ContentItem | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  if (hasAtMost(TEXT_LENGTH_MAX, text)) return { kind: 'text', text, role: parseRole(role, index), index }
  throw invalidParameter(`content[${index}].text`, `text must have at most ${TEXT_LENGTH_MAX} characters.`)
}

interface MediaParts {
  kind: MediaKind
  index: number
  isAllowedUrl: UrlCheck
}

function parseMediaItem(item: JsonObject, parts: MediaParts): ContentItem | undefined {
  const { kind, index, isAllowedUrl } = parts
  const holder = item[`${kind}_url`]
  const given = isJsonObject(holder) ? trimmed(holder.url) : undefined
  if (given === undefined) return undefined
  return {
    kind,
    url: parseMediaUrl(given, `content[${index}].${kind}_url.url`, isAllowedUrl),
    role: parseRole(item.role, index),
    tag: parseTag(item.tag),
    timeStampSeconds: parseTimeStamp(item.time_stamp),
    index,
  }
}

/** A role decides the use of an item, so an unreadable role must not become the default. */
function parseRole(role: unknown, index: number): string | undefined {
  if (role === undefined || role === null || typeof role === 'string') return trimmed(role)
  throw invalidParameter(`content[${index}].role`, 'role must be a string.')
}

/** A tag of only `@` names nothing, so it counts as absent. */
function parseTag(tag: unknown): string | undefined {
  const name = trimmed(tag)
  return name === '@' ? undefined : name
}

/** Returns undefined for a value that is not a string, or only blanks. */
function trimmed(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

function parseTimeStamp(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : Number.NaN
}

/** Accepts an HTTPS URL that may be fetched, or an asset, which is looked up later. */
export function parseMediaUrl(url: string, param: string, isAllowedUrl: UrlCheck): string {
  if (assetIdOf(url) !== undefined && hasAtMost(URL_LENGTH_MAX, url)) return url
  return parseHttpsUrl(url, param, isAllowedUrl, 'must be a valid HTTPS URL or asset://<asset_id>')
}
