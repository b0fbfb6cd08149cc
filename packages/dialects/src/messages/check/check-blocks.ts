import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isNil } from '../../values/values.ts'
import { type BodyPath, checkBoolean, checkPresent, checkString, invalid } from '../body-path.ts'
import type { ImageTally } from '../read-media.ts'

/** Checks the blocks of a message or of a tool's result. An unknown kind passes. */
export function checkBlocks(blocks: readonly unknown[], up: BodyPath, images: ImageTally): void {
  for (let place = 0; place < blocks.length; place += 1) {
    const block = blocks[place]
    if (!isJsonObject(block)) throw invalid(up, place, 'must be an object')
    const at = { up, key: place }
    checkPresent(block, ['type'], at)
    if (typeof block.type !== 'string') throw invalid(at, 'type', 'must be a string')
    if (block.type === 'text') checkText(block, at)
    else CHECKS.get(block.type)?.(block, at, images)
  }
}

type CheckBlock = (block: JsonObject, at: BodyPath, images: ImageTally) => void

const CHECKS: ReadonlyMap<string, CheckBlock> = new Map<string, CheckBlock>([
  ['image', checkImage],
  ['document', checkDocumentBlock],
  ['tool_use', checkToolUse],
  ['tool_result', checkToolResult],
  ['thinking', (block, at) => checkStrings(block, ['thinking'], at)],
  ['redacted_thinking', (block, at) => checkStrings(block, ['data'], at)],
])

function checkText(block: JsonObject, at: BodyPath): void {
  if (typeof block.text !== 'string') checkStrings(block, ['text'], at)
}

function checkStrings(block: JsonObject, keys: readonly string[], at: BodyPath): void {
  checkPresent(block, keys, at)
  for (const key of keys) checkString(block, key, at)
}

function checkToolUse(block: JsonObject, at: BodyPath): void {
  checkPresent(block, ['id', 'name', 'input'], at)
  checkString(block, 'id', at)
  checkString(block, 'name', at)
  if (!isJsonObject(block.input)) throw invalid(at, 'input', 'must be an object')
}

function checkToolResult(block: JsonObject, at: BodyPath, images: ImageTally): void {
  checkStrings(block, ['tool_use_id'], at)
  const { content } = block
  if (Array.isArray(content)) checkBlocks(content, { up: at, key: 'content' }, images)
  else if (!isNil(content) && typeof content !== 'string') {
    throw invalid(at, 'content', 'must be a string or an array of content blocks')
  }
  checkBoolean(block, 'is_error', at)
}

/** A document may contain blocks itself, and its images count like any others. */
function checkDocumentBlock(block: JsonObject, at: BodyPath, images: ImageTally): void {
  const source = checkDocument(block, at, images)
  if (source.type === 'content' && Array.isArray(source.content)) {
    checkBlocks(source.content, { up: { up: at, key: 'source' }, key: 'content' }, images)
  }
}

function checkImage(block: JsonObject, at: BodyPath, images: ImageTally): void {
  const source = checkSource(block, at)
  const sourceAt = { up: at, key: 'source' }
  if (source.type === 'url') checkUrl(source, sourceAt, images)
  if (source.type !== 'base64') return
  const { mediaType, data } = checkBase64(source, sourceAt)
  if (!mediaType.startsWith('image/')) throw invalid(sourceAt, 'media_type', 'must be an image type')
  images.add(data, sourceAt)
}

/** Returns the source, for the images that may be inside. */
function checkDocument(block: JsonObject, at: BodyPath, images: ImageTally): JsonObject {
  const source = checkSource(block, at)
  const sourceAt = { up: at, key: 'source' }
  if (source.type === 'url') checkUrl(source, sourceAt, images)
  if (source.type === 'text') checkPresent(source, ['data'], sourceAt)
  if (source.type === 'text') checkString(source, 'data', sourceAt)
  if (source.type !== 'base64') return source
  if (checkBase64(source, sourceAt).mediaType !== 'application/pdf') {
    throw invalid(sourceAt, 'media_type', 'must be application/pdf')
  }
  return source
}

function checkSource(block: JsonObject, at: BodyPath): JsonObject {
  checkPresent(block, ['source'], at)
  const { source } = block
  if (!isJsonObject(source)) throw invalid(at, 'source', 'must be an object')
  const sourceAt = { up: at, key: 'source' }
  checkPresent(source, ['type'], sourceAt)
  if (typeof source.type !== 'string') throw invalid(sourceAt, 'type', 'must be a string')
  return source
}

function checkBase64(source: JsonObject, at: BodyPath): { mediaType: string; data: string } {
  checkPresent(source, ['media_type', 'data'], at)
  const { media_type: mediaType, data } = source
  if (typeof mediaType !== 'string') throw invalid(at, 'media_type', 'must be a string')
  if (typeof data !== 'string') throw invalid(at, 'data', 'must be a string')
  if (data.length === 0) throw invalid(at, 'data', 'must not be empty')
  return { mediaType, data }
}

function checkUrl(source: JsonObject, at: BodyPath, { problemOfUrl }: ImageTally): void {
  checkPresent(source, ['url'], at)
  const { url } = source
  const problem = typeof url === 'string' ? problemOfUrl(url) : 'must be a valid HTTPS URL'
  if (problem !== undefined) throw invalid(at, 'url', problem)
}
