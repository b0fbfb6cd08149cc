import type { LossName } from '../canonical/losses.ts'
import type { FindUrlProblem } from '../canonical/problem.ts'
import type { DocumentSource, ImageSource, ResultPart } from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { base64Problem } from '../values/base64-problem.ts'
import { hasUnknownFields } from '../values/values.ts'
import { type BodyPath, invalid } from './body-path.ts'
import { declareMarks } from './wire.ts'

/** undefined: the kind of source is unknown. */
export function readImage(
  block: JsonObject,
  losses: Set<LossName>,
  at: BodyPath,
): Extract<ResultPart, { kind: 'image' }> | undefined {
  const { source } = block
  if (!isJsonObject(source)) return undefined
  const read = readInlineOrUrl(source, { up: at, key: 'source' })
  if (read === undefined) return undefined
  if (hasUnknownFields(block, IMAGE_FIELDS) || hasUnknownFields(source, SOURCE_FIELDS))
    losses.add('unknown_field')
  return { kind: 'image', source: read, detail: undefined }
}

const IMAGE_FIELDS: ReadonlySet<string> = new Set(['type', 'source', 'cache_control'])
const SOURCE_FIELDS: ReadonlySet<string> = new Set(['type', 'media_type', 'data', 'url', 'content'])

/** undefined: the kind of source is unknown, or one of its blocks is not text. */
export function readDocument(
  block: JsonObject,
  losses: Set<LossName>,
  at: BodyPath,
): Extract<ResultPart, { kind: 'document' }> | undefined {
  const { source, title, citations } = block
  if (!isJsonObject(source)) return undefined
  const read = readDocumentSource(source, losses, { up: at, key: 'source' })
  if (read === undefined) return undefined
  if (hasUnknownFields(block, DOCUMENT_FIELDS) || hasUnknownFields(source, SOURCE_FIELDS))
    losses.add('unknown_field')
  declareCitations(citations, losses)
  return { kind: 'document', source: read, name: typeof title === 'string' ? title : undefined }
}

/** `context` is not among them, so it is declared lost: no other dialect can carry a note about a document. */
const DOCUMENT_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'source',
  'title',
  'citations',
  'cache_control',
])

/** Reads a result of the client's own search as text, with its source. */
export function readSearchResult(
  { title, source, content, citations }: JsonObject,
  losses: Set<LossName>,
): ResultPart | undefined {
  const text = readTexts(content, losses)
  if (text === undefined) return undefined
  declareCitations(citations, losses)
  const lines = [title, source, text].filter((line) => typeof line === 'string' && line !== '')
  return { kind: 'text', text: lines.join('\n') }
}

function declareCitations(citations: unknown, losses: Set<LossName>): void {
  if (isJsonObject(citations) && citations.enabled === true) losses.add('citations')
}

function readInlineOrUrl(source: JsonObject, at: BodyPath): ImageSource | undefined {
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

function readDocumentSource(
  source: JsonObject,
  losses: Set<LossName>,
  at: BodyPath,
): DocumentSource | undefined {
  if (source.type === 'text') return { kind: 'text', text: String(source.data) }
  if (source.type !== 'content') return readInlineOrUrl(source, at)
  const text = readTexts(source.content, losses)
  return text === undefined ? undefined : { kind: 'text', text }
}

/** undefined: a block is not text. */
function readTexts(content: unknown, losses: Set<LossName>): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts: string[] = []
  for (const block of content) {
    if (!isJsonObject(block) || typeof block.text !== 'string') return undefined
    declareMarks(block, losses)
    texts.push(block.text)
  }
  return texts.join('\n')
}

const MEGABYTE = 1024 * 1024
const IMAGE_BYTES_MAX = 5 * MEGABYTE
const IMAGES_BYTES_MAX = 12 * MEGABYTE

/** Sums up the decoded size of the images of one request, and holds the check of their URLs. */
export class ImageTally {
  readonly problemOfUrl: FindUrlProblem
  #bytes = 0

  constructor(problemOfUrl: FindUrlProblem) {
    this.problemOfUrl = problemOfUrl
  }

  add(data: string, at: BodyPath): void {
    const bytes = decodedBytes(data)
    if (bytes > IMAGE_BYTES_MAX) throw invalid(at, 'data', 'must be an image of at most 5 MB')
    this.#bytes += bytes
    if (this.#bytes > IMAGES_BYTES_MAX) {
      throw invalid(undefined, 'messages', 'must have at most 12 MB of images in total')
    }
  }
}

/** Decoded size of base64 by its length alone: looking at every character of 12 MB would block other requests. */
function decodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor((data.length * 3) / 4) - padding
}
