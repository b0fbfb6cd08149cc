import { expect, test } from 'vitest'
import { readImageSize } from './count-media.ts'

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

function gif(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('GIF89a', 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

function webp(chunk: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write(`RIFF\0\0\0\0WEBP${chunk}`, 'latin1')
  if (chunk === 'VP8 ') {
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else if (chunk === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  }
  return bytes
}

/** `previewBytes` of other segments stand before the frame. */
function jpeg(width: number, height: number, { previewBytes = 0, marker = 0xc0 } = {}): Buffer {
  const segments: Buffer[] = [Buffer.from([0xff, 0xd8])]
  for (let left = previewBytes; left > 0; left -= 60_000) {
    const segment = Buffer.alloc(2 + Math.min(left, 60_000))
    segment.writeUInt16BE(0xffe1, 0)
    segment.writeUInt16BE(segment.length - 2, 2)
    segments.push(segment)
  }
  // Fill bytes may stand before a marker, and a table of codes is not a frame.
  segments.push(Buffer.from([0xff, 0xff, 0xc4, 0, 4, 1, 2]))
  const frame = Buffer.alloc(40)
  frame.set([0xff, marker, 0, 17, 8])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([...segments, frame])
}

test.each([
  ['PNG', png(1_024, 768)],
  ['GIF', gif(1_024, 768)],
  ['WebP, lossy', webp('VP8 ', 1_024, 768)],
  ['WebP, lossless', webp('VP8L', 1_024, 768)],
  ['WebP, extended', webp('VP8X', 1_024, 768)],
  ['JPEG', jpeg(1_024, 768)],
  ['JPEG, progressive', jpeg(1_024, 768, { marker: 0xc2 })],
  ['JPEG with a preview', jpeg(1_024, 768, { previewBytes: 150_000 })],
])('%s', (_kind, bytes) => {
  expect(readImageSize(bytes.toString('base64'))).toEqual({ width: 1_024, height: 768 })
})

test.each([
  ['nothing', ''],
  ['a few bytes', png(9, 9).subarray(0, 20).toString('base64')],
  ['text', Buffer.from('just some text, and more of it than a header has').toString('base64')],
  ['a WebP of no known kind', Buffer.from(`RIFF0000WEBPVP9!${'x'.repeat(30)}`).toString('base64')],
  [
    'a JPEG without a frame',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(900)]).toString('base64'),
  ],
  ['no base64', '%%% ? %%%'],
])('undefined for %s', (_what, base64) => {
  expect(readImageSize(base64)).toBeUndefined()
})
