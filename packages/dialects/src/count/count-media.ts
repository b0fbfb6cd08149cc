import type { DocumentSource, ImageSource } from '../canonical/request.ts'
import { countText } from './count-text.ts'

/** Vendors make larger images smaller before they count them. */
export const IMAGE_TOKENS_MAX = 1_600
const PIXELS_PER_TOKEN = 750

/** Typical bytes and tokens of a PDF page, text and picture together. */
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

/** Estimates the tokens of a document by its length in base64, whatever its content. */
export function countPages(base64Characters: number): number {
  return Math.ceil((base64Characters * 0.75) / PAGE_BYTES) * PAGE_TOKENS
}

interface ImageSize {
  width: number
  height: number
}

/** Reads the size from the first bytes of a PNG, JPEG, GIF or WebP in base64; undefined for anything else. */
export function readImageSize(base64: string): ImageSize | undefined {
  const head = decode(base64, HEAD_BYTES)
  if (head.length < 30) return undefined
  if (head.readUInt32BE(0) === 0x89504e47)
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  const mark = head.toString('latin1', 0, 4)
  if (mark === 'GIF8') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  if (mark === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return sizeOfWebp(head)
  if (head.readUInt16BE(0) !== 0xffd8) return undefined
  // A camera may put a preview before the frame's own header.
  return sizeOfJpeg(head) ?? sizeOfJpeg(decode(base64, JPEG_HEAD_BYTES))
}

const HEAD_BYTES = 768
const JPEG_HEAD_BYTES = 192 * 1024

function decode(base64: string, bytes: number): Buffer {
  return Buffer.from(base64.slice(0, Math.ceil(bytes / 3) * 4), 'base64')
}

/** The three kinds of WebP keep their size at different offsets. */
function sizeOfWebp(head: Buffer): ImageSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Skips segments up to the one that begins a frame. */
function sizeOfJpeg(bytes: Buffer): ImageSize | undefined {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** C4, C8 and CC lie among the markers of frames, but begin no frame. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
