import type { ChatVariant } from '../canonical/chat-variant.ts'
import type { LossName } from '../canonical/losses.ts'
import type { ResultPart } from '../canonical/request.ts'
import { RequestError } from '../request-error.ts'
import type { ToolNaming } from '../tools/tool-naming.ts'
import type { ChatContentPart } from './wire.ts'

export type UserPart = ResultPart

type DocumentPart = Extract<UserPart, { kind: 'document' }>
type ImagePart = Extract<UserPart, { kind: 'image' }>

/** Text alone is one string, because many vendors of this dialect take nothing else. undefined: there is no content. */
export function writeContent(
  parts: readonly UserPart[],
  losses: Set<LossName>,
): string | ChatContentPart[] | undefined {
  const pieces = parts.map((part) => writePart(part, losses)).filter((piece) => piece !== '')
  if (pieces.length === 0) return undefined
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('\n\n')
  return pieces.map((piece) => (typeof piece === 'string' ? { type: 'text', text: piece } : piece))
}

function writePart(part: UserPart, losses: Set<LossName>): string | ChatContentPart {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'image':
      return writeImage(part, losses)
    case 'document':
      return textOfDocument(part) ?? writeFile(part)
  }
}

const DETAILS: readonly (string | undefined)[] = [undefined, 'auto', 'low', 'high']

function writeImage({ source, detail }: ImagePart, losses: Set<LossName>): ChatContentPart {
  const isKnown = DETAILS.includes(detail)
  if (!isKnown) losses.add('image_detail')
  return { type: 'image_url', image_url: { url: urlOf(source), detail: isKnown ? detail : undefined } }
}

function urlOf(source: ImagePart['source']): string {
  if (source.kind === 'base64') return `data:${source.mediaType};base64,${source.data}`
  if (/^(?:https|data):/i.test(source.url)) return source.url
  throw new RequestError('invalid_parameter', {
    message: 'An image must be given inline or by an https URL.',
  })
}

/** Plain text needs no file: its name stands above it. undefined: the document is not plain text. */
export function textOfDocument({ source, name }: DocumentPart): string | undefined {
  const text = plainTextOf(source)
  return text === undefined || name === undefined ? text : `${name}\n\n${text}`
}

function plainTextOf(source: DocumentPart['source']): string | undefined {
  if (source.kind === 'text') return source.text
  if (source.kind === 'url' || !source.mediaType.startsWith('text/')) return undefined
  return Buffer.from(source.data, 'base64').toString('utf8')
}

function writeFile({ source, name }: DocumentPart): ChatContentPart {
  if (source.kind !== 'base64') {
    throw new RequestError('invalid_parameter', {
      message: 'This model takes documents only inline: send the content itself, in base64.',
    })
  }
  const filename = name ?? (source.mediaType === 'application/pdf' ? 'document.pdf' : 'document')
  return { type: 'file', file: { filename, file_data: `data:${source.mediaType};base64,${source.data}` } }
}

/** Context that the turns of one request share. */
export interface ChatTurnsContext {
  naming: ToolNaming
  losses: Set<LossName>
  /** The provider that is called: it gets its own seals back. */
  provider: string
  chat: ChatVariant
}
