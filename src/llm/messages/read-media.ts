import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { base64Problem } from '../hub/base64-problem.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'
import type { DocumentSource, ImageSource, ResultPart } from '../hub/text-request.ts'
import { invalid, type Place } from './place.ts'

/** undefined: from a place that nobody told us of. */
export function readImage(
  { source }: JsonObject,
  _losses: Set<LossName>,
  at: Place,
): Extract<ResultPart, { kind: 'image' }> | undefined {
  const read = isJsonObject(source) ? readInlineOrUrl(source, { up: at, key: 'source' }) : undefined
  return read && { kind: 'image', source: read, detail: undefined }
}

/** undefined: from a place that nobody told us of, or made of more than text. */
export function readDocument(
  { source, title, context, citations }: JsonObject,
  losses: Set<LossName>,
  at: Place,
): Extract<ResultPart, { kind: 'document' }> | undefined {
  const read = isJsonObject(source) ? readDocumentSource(source, { up: at, key: 'source' }) : undefined
  if (read === undefined) return undefined
  if (!isAbsent(context)) losses.add('unknown_field')
  if (isJsonObject(citations) && citations.enabled === true) losses.add('citations')
  return { kind: 'document', source: read, name: typeof title === 'string' ? title : undefined }
}

/** What a client's own search found: said as text, with where it is from. */
export function readSearchResult({ title, source, content }: JsonObject): ResultPart | undefined {
  const text = readTexts(content)
  if (text === undefined) return undefined
  const lines = [title, source, text].filter((line) => typeof line === 'string' && line !== '')
  return { kind: 'text', text: lines.join('\n') }
}

function readInlineOrUrl(source: JsonObject, at: Place): ImageSource | undefined {
  const { type, url, media_type: mediaType } = source
  if (type === 'url') return { kind: 'url', url: String(url) }
  if (type === 'file') throw invalid(at, 'type', STORED_ELSEWHERE)
  if (type !== 'base64') return undefined
  const data = String(source.data)
  const problem = base64Problem(data)
  if (problem !== undefined) throw invalid(at, 'data', problem)
  return { kind: 'base64', mediaType: String(mediaType), data }
}

const STORED_ELSEWHERE =
  'must be base64 or url for this model: a file is known only to the vendor that keeps it'

function readDocumentSource(source: JsonObject, at: Place): DocumentSource | undefined {
  if (source.type === 'text') return { kind: 'text', text: String(source.data) }
  if (source.type !== 'content') return readInlineOrUrl(source, at)
  const text = readTexts(source.content)
  return text === undefined ? undefined : { kind: 'text', text }
}

/** undefined when anything but text is among the blocks. */
function readTexts(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts: string[] = []
  for (const block of content) {
    if (!isJsonObject(block) || typeof block.text !== 'string') return undefined
    texts.push(block.text)
  }
  return texts.join('\n')
}
