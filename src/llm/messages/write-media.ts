import { Refusal } from '../../domain/refusal.ts'
import type { LossName } from '../hub/losses.ts'
import type { DocumentSource, Part } from '../hub/text-request.ts'
import type { WireBlock } from './wire-block.ts'

export function writeImage(
  { source, detail }: Extract<Part, { kind: 'image' }>,
  losses: Set<LossName>,
): WireBlock {
  if (detail !== undefined && detail !== 'auto') losses.add('image_detail')
  if (source.kind === 'url') return { type: 'image', source: writeUrl(source.url, 'image') }
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType, data: source.data } }
}

export function writeDocument({ source, name }: Extract<Part, { kind: 'document' }>): WireBlock {
  const block: WireBlock = { type: 'document', source: writeSource(source) }
  if (name !== undefined && name !== '') block.title = name
  return block
}

function writeSource(source: DocumentSource): object {
  if (source.kind === 'url') return writeUrl(source.url, 'document')
  if (source.kind === 'text') return writePlain(source.text)
  if (source.mediaType === 'application/pdf') {
    return { type: 'base64', media_type: source.mediaType, data: source.data }
  }
  if (source.mediaType.startsWith('text/')) {
    return writePlain(Buffer.from(source.data, 'base64').toString('utf8'))
  }
  throw new Refusal('invalid_parameter', {
    param: 'input',
    message: `This model reads PDF and plain text documents, not ${source.mediaType}.`,
  })
}

function writePlain(data: string): object {
  return { type: 'text', media_type: 'text/plain', data }
}

function writeUrl(url: string, what: string): object {
  if (url.slice(0, 8).toLowerCase() === 'https://') return { type: 'url', url }
  throw new Refusal('invalid_parameter', { param: 'input', message: `The ${what} URL must be HTTPS.` })
}
