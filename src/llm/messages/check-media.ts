import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { ImageTally } from './image-tally.ts'
import { checkPresent, checkString, invalid, type Place } from './place.ts'

export function checkImage(block: JsonObject, at: Place, images: ImageTally): void {
  const source = checkSource(block, at)
  const sourceAt = { up: at, key: 'source' }
  if (source.type === 'url') checkUrl(source, sourceAt)
  if (source.type !== 'base64') return
  const { mediaType, data } = checkBase64(source, sourceAt)
  if (!mediaType.startsWith('image/')) throw invalid(sourceAt, 'media_type', 'must be an image type')
  images.add(data, sourceAt)
}

/** Gives the source back, for the images that may be inside. */
export function checkDocument(block: JsonObject, at: Place): JsonObject {
  const source = checkSource(block, at)
  const sourceAt = { up: at, key: 'source' }
  if (source.type === 'url') checkUrl(source, sourceAt)
  if (source.type === 'text') checkPresent(source, ['data'], sourceAt)
  if (source.type === 'text') checkString(source, 'data', sourceAt)
  if (source.type !== 'base64') return source
  if (checkBase64(source, sourceAt).mediaType !== 'application/pdf') {
    throw invalid(sourceAt, 'media_type', 'must be application/pdf')
  }
  return source
}

function checkSource(block: JsonObject, at: Place): JsonObject {
  checkPresent(block, ['source'], at)
  const { source } = block
  if (!isJsonObject(source)) throw invalid(at, 'source', 'must be an object')
  const sourceAt = { up: at, key: 'source' }
  checkPresent(source, ['type'], sourceAt)
  if (typeof source.type !== 'string') throw invalid(sourceAt, 'type', 'must be a string')
  return source
}

function checkBase64(source: JsonObject, at: Place): { mediaType: string; data: string } {
  checkPresent(source, ['media_type', 'data'], at)
  const { media_type: mediaType, data } = source
  if (typeof mediaType !== 'string') throw invalid(at, 'media_type', 'must be a string')
  if (typeof data !== 'string') throw invalid(at, 'data', 'must be a string')
  if (data.length === 0) throw invalid(at, 'data', 'must not be empty')
  return { mediaType, data }
}

function checkUrl(source: JsonObject, at: Place): void {
  checkPresent(source, ['url'], at)
  const { url } = source
  if (typeof url !== 'string' || url.length > URL_LENGTH_MAX || !isHttps(url)) {
    throw invalid(at, 'url', 'must be a valid HTTPS URL')
  }
}

/** Room for a link with a long signature. */
const URL_LENGTH_MAX = 8_192

/** Two slashes and a host right after them: with anything else parsers disagree about where the host is. */
function isHttps(url: string): boolean {
  return /^https:\/\/[^/\\]/i.test(url) && URL.canParse(url)
}
