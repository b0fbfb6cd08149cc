import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'
import type { DocumentSource, ImageSource, ResultPart } from '../hub/text-request.ts'

/** undefined: from a place only the vendor can reach, such as its own file store. */
export function readImage({ source }: JsonObject): Extract<ResultPart, { kind: 'image' }> | undefined {
  const read = isJsonObject(source) ? readInlineOrUrl(source) : undefined
  return read && { kind: 'image', source: read, detail: undefined }
}

/** undefined: from a place only the vendor can reach, or made of more than text. */
export function readDocument(
  { source, title, context, citations }: JsonObject,
  losses: Set<LossName>,
): Extract<ResultPart, { kind: 'document' }> | undefined {
  const read = isJsonObject(source) ? readDocumentSource(source) : undefined
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

function readInlineOrUrl({ type, url, media_type: mediaType, data }: JsonObject): ImageSource | undefined {
  if (type === 'url') return { kind: 'url', url: String(url) }
  if (type === 'base64') return { kind: 'base64', mediaType: String(mediaType), data: String(data) }
  return undefined
}

function readDocumentSource(source: JsonObject): DocumentSource | undefined {
  if (source.type === 'text') return { kind: 'text', text: String(source.data) }
  if (source.type !== 'content') return readInlineOrUrl(source)
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
