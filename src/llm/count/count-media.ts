import type { DocumentSource, ImageSource } from '../hub/text-request.ts'
import { countText } from './count-text.ts'
import { readImageSize } from './image-size.ts'

/** Vendors make larger images smaller before they count them. */
export const IMAGE_TOKENS_MAX = 1_600
const PIXELS_PER_TOKEN = 750

/** Most pages of a PDF have about this many bytes and, as text and picture together, this many tokens. */
const PAGE_BYTES = 50_000
const PAGE_TOKENS = 2_000

export function countImage(source: ImageSource): number {
  const size = source.kind === 'base64' ? readImageSize(source.data) : undefined
  if (size === undefined || size.width === 0 || size.height === 0) return IMAGE_TOKENS_MAX
  return Math.min(Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN), IMAGE_TOKENS_MAX)
}

export function countDocument(source: DocumentSource): number {
  if (source.kind === 'text') return countText(source.text)
  if (source.kind === 'url') return PAGE_TOKENS
  if (source.mediaType.startsWith('text/'))
    return countText(Buffer.from(source.data, 'base64').toString('utf8'))
  return countPages(source.data.length)
}

/** What a document of so many characters of base64 comes to, whatever is in it. */
export function countPages(base64Characters: number): number {
  return Math.ceil((base64Characters * 0.75) / PAGE_BYTES) * PAGE_TOKENS
}
