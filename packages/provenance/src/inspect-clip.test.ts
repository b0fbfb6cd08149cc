import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bytesReader, type ClipReader } from './clip-reader.ts'
import { inspectClip } from './inspect-clip.ts'
import { makeBox } from './mp4/read-boxes.ts'

const MEDIA = new URL('../../../sandbox/media/', import.meta.url)
const TALL = readFileSync(new URL('720x1280.mp4', MEDIA))
const NOTHING = { duration_ms: null, width: null, height: null }
const UNMARKED = { c2pa: { state: 'none', issuer: null }, aigc: null }

describe('inspectClip', () => {
  test('finds length and size of a film', async () => {
    expect(await inspectClip(bytesReader(TALL))).toEqual({
      media_type: 'video/mp4',
      duration_ms: 5_000,
      width: 720,
      height: 1280,
      marks: UNMARKED,
    })
  })

  test('swaps width and height of a rotated film', async () => {
    const turned = Buffer.from(TALL)
    const matrix = turned.indexOf('tkhd') + 4 + 40
    turned.writeInt32BE(0, matrix)
    turned.writeInt32BE(0, matrix + 16)
    expect(await inspectClip(bytesReader(turned))).toMatchObject({ width: 1280, height: 720 })
  })

  test('reads no frames', async () => {
    let bytes = 0
    const counted: ClipReader = {
      size: TALL.length,
      read(offset, length) {
        bytes += length
        return Promise.resolve(TALL.subarray(offset, offset + length))
      },
    }
    await inspectClip(counted)
    expect(bytes).toBeLessThan(3_000)
  })

  test.each([
    [
      'readable',
      '{"Label":"1","ProduceID":"task_1","Other":"x","ReservedCode1":7}',
      { Label: '1', ProduceID: 'task_1' },
    ],
    ['nested under the key again', '{"AIGC":{"Label":"2"}}', { Label: '2' }],
    ['no JSON', 'Label=1', {}],
    ['a bare value', 'null', {}],
  ])('AIGC metadata: %s', async (_name, text, aigc) => {
    const marked = Buffer.concat([makeBox('ftyp', Buffer.from('isom')), makeBox('moov', metaOf(text))])
    expect((await inspectClip(bytesReader(marked))).marks).toEqual({ ...UNMARKED, aigc })
  })

  test('a picture has a size and no length', async () => {
    const picture = readFileSync(new URL('landscape.png', MEDIA))
    expect(await inspectClip(bytesReader(picture))).toMatchObject({
      media_type: 'image/png',
      duration_ms: null,
    })
    expect((await inspectClip(bytesReader(picture))).width).toBeGreaterThan(0)
  })

  test('a file of another kind has no facts', async () => {
    const facts = { media_type: 'application/octet-stream', ...NOTHING, marks: UNMARKED }
    for (const text of ['', 'ftyp', '<html>'.repeat(20)]) {
      expect(await inspectClip(bytesReader(Buffer.from(text)))).toEqual(facts)
    }
  })

  test('a film that was cut anywhere is read without an error', async () => {
    for (let length = 0; length < 2_000; length += 13) {
      const facts = await inspectClip(bytesReader(TALL.subarray(0, length)))
      expect(facts.marks).toEqual(UNMARKED)
    }
  })
})

/** `meta` with one key and one text. */
function metaOf(text: string): Uint8Array {
  const numbers = (...values: number[]) => Buffer.concat(values.map(uint32))
  const keys = makeBox('keys', numbers(0, 1, 12), Buffer.from('mdtaAIGC'))
  const data = makeBox('data', numbers(1, 0), Buffer.from(text))
  return makeBox('meta', numbers(0), keys, makeBox('ilst', makeBox('\0\0\0\x01', data)))
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
