import { crc32, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readSampleName, sampleName } from '../../../../../sandbox/assets/samples/sample-name.ts'
import { makeSample } from '../../../../../sandbox/assets/samples/sample-routes.ts'
import { openAssetVendor } from '../../asset-client.ts'
import { findBox, readBoxes } from '../../read-mp4.ts'

describe('over HTTP', () => {
  const get = async (name: string, init?: RequestInit) => {
    const { url } = await openAssetVendor()
    return fetch(`${url}/samples/${name}`, init)
  }

  it.each([
    ['portrait.png', 'image/png'],
    ['portrait-someone.png', 'image/png'],
    ['landscape.png', 'image/png'],
    ['clip.mp4', 'video/mp4'],
    ['tone.wav', 'audio/wav'],
  ])('200: %s', async (name, contentType) => {
    const response = await get(name)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType])
    const bytes = Buffer.from(await response.arrayBuffer())
    const sample = readSampleName(name)
    expect(sample !== undefined && bytes.equals(makeSample(sample).bytes)).toBe(true)
  })

  it('206, 416 and HEAD', async () => {
    const piece = await get('tone.wav', { headers: { range: 'bytes=0-3' } })
    expect([piece.status, await piece.text()]).toEqual([206, 'RIFF'])
    expect((await get('tone.wav', { headers: { range: 'bytes=999999-' } })).status).toBe(416)
    const head = await get('tone.wav', { method: 'HEAD' })
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['24044', ''])
  })

  it.each([
    'portrait.mp4',
    'clip.png',
    'face.png',
    'portrait-.png',
    `tone-${'x'.repeat(65)}.wav`,
    'toString.png',
  ])('404: %s', async (name) => {
    expect((await get(name)).status).toBe(404)
  })
})

it.each(['portrait.png', 'landscape-a_b-c.png', 'clip-3f7ac1.mp4', 'tone.wav'])(
  'the name %s is read and written back',
  (name) => {
    const sample = readSampleName(name)
    expect(sample !== undefined && sampleName(sample)).toBe(name)
  },
)

it.each([
  ['portrait', 480, 600],
  ['landscape', 640, 360],
] as const)('%s is a whole PNG', (kind, width, height) => {
  const chunks = readPng(makeSample({ kind, label: 'x' }).bytes)
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'pHYs', 'IDAT', 'tEXt', 'IEND'])
  const [header, , data, text] = chunks
  expect([header?.content.readUInt32BE(0), header?.content.readUInt32BE(4)]).toEqual([width, height])
  expect([...(header?.content.subarray(8, 10) ?? [])]).toEqual([8, 2])
  expect(inflateSync(data?.content ?? '')).toHaveLength((3 * width + 1) * height)
  expect(text?.content.toString('latin1')).toBe('Title\0x')
})

it.each(['portrait', 'landscape', 'clip', 'tone'] as const)(
  'a label gives another %s, the same each time',
  (kind) => {
    const make = (label: string) => makeSample({ kind, label }).bytes
    expect(make('a').equals(make('a'))).toBe(true)
    expect(make('a').equals(make('b'))).toBe(false)
    expect(make('a').equals(make(''))).toBe(false)
  },
)

it('the clip is an MP4', () => {
  const boxes = readBoxes(makeSample({ kind: 'clip', label: '' }).bytes)
  expect(findBox(boxes, 'moov/trak').type).toBe('trak')
})

it('the tone is a WAV file of three seconds that is not silent', () => {
  const { bytes } = makeSample({ kind: 'tone', label: '' })
  expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ')
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  expect(bytes.readUInt32LE(40) / bytes.readUInt32LE(28)).toBe(3)
  expect(Math.max(...bytes.subarray(44))).toBeGreaterThan(180)
})

it.each(['anna', 'ann'])('the label %s stands behind the sound of a tone', (label) => {
  const plain = makeSample({ kind: 'tone', label: '' }).bytes
  const { bytes } = makeSample({ kind: 'tone', label })
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  expect(bytes.subarray(8, plain.length).equals(plain.subarray(8))).toBe(true)
  const chunk = bytes.subarray(plain.length)
  expect([chunk.toString('latin1', 0, 4), chunk.readUInt32LE(4)]).toEqual(['JUNK', chunk.length - 8])
  expect([chunk.length % 2, chunk.toString('latin1', 8).trimEnd()]).toEqual([0, label])
})

/** The chunks of a PNG, each with its check sum checked. */
function readPng(file: Buffer): { type: string; content: Buffer }[] {
  expect(file.toString('latin1', 0, 8)).toBe('\x89PNG\r\n\x1a\n')
  const chunks = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const named = file.subarray(at + 4, at + 8 + length)
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(named))
    chunks.push({ type: named.toString('latin1', 0, 4), content: named.subarray(4) })
    at += 12 + length
  }
  return chunks
}
