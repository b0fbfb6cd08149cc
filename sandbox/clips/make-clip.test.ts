import { describe, expect, it } from 'vitest'
import { findBox, readBoxes } from '../../test/api/sandbox/read-mp4.ts'
import { makeClip } from './make-clip.ts'
import { pictureSize, RATIOS, RESOLUTIONS } from './picture-size.ts'

const TRACK = 'moov/trak/mdia/minf/stbl'

describe('a clip', () => {
  const sizes = RESOLUTIONS.flatMap((resolution) => RATIOS.map((ratio) => pictureSize(resolution, ratio)))

  it.each(sizes)('of $width x $height has a track of that size', ({ width, height }) => {
    const boxes = readBoxes(makeClip({ width, height, seconds: 4, label: '3f7ac1' }))
    const { content } = findBox(boxes, 'moov/trak/tkhd')
    expect([content.readUInt32BE(76) / 65_536, content.readUInt32BE(80) / 65_536]).toEqual([width, height])
    const description = findBox(boxes, `${TRACK}/stsd`).content.subarray(8)
    expect(description.toString('latin1', 4, 8)).toBe('avc1')
    expect([description.readUInt16BE(32), description.readUInt16BE(34)]).toEqual([width, height])
  })

  it.each([1, 4, 5, 15, 60])('of %i seconds lasts as long', (seconds) => {
    const boxes = readBoxes(makeClip({ width: 1280, height: 720, seconds, label: '3f7ac1' }))
    const movie = findBox(boxes, 'moov/mvhd').content
    const track = findBox(boxes, 'moov/trak/tkhd').content
    const media = findBox(boxes, 'moov/trak/mdia/mdhd').content
    expect(movie.readUInt32BE(16) / movie.readUInt32BE(12)).toBe(seconds)
    expect(track.readUInt32BE(20) / movie.readUInt32BE(12)).toBe(seconds)
    expect(media.readUInt32BE(16) / media.readUInt32BE(12)).toBe(seconds)
    const times = findBox(boxes, `${TRACK}/stts`).content
    expect([times.readUInt32BE(4), times.readUInt32BE(8)]).toEqual([1, 120])
    expect((120 * times.readUInt32BE(12)) / media.readUInt32BE(12)).toBe(seconds)
    expect(boxes[1]?.boxes[1]?.boxes.map(({ type }) => type)).toEqual(['tkhd', 'mdia'])
  })

  it.each(sizes)('of $width x $height has the requested length', ({ width, height }) => {
    const boxes = readBoxes(makeClip({ width, height, seconds: 7, label: '3f7ac1' }))
    const media = findBox(boxes, 'moov/trak/mdia/mdhd').content
    const times = findBox(boxes, `${TRACK}/stts`).content
    expect(media.readUInt32BE(16) / media.readUInt32BE(12)).toBe(7)
    expect(times.readUInt32BE(8) * times.readUInt32BE(12)).toBe(media.readUInt32BE(16))
  })

  it('begins with its index, and the index leads to every picture', () => {
    const file = makeClip({ width: 1280, height: 720, seconds: 6, label: '3f7ac1' })
    const boxes = readBoxes(file)
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'free', 'mdat', 'free'])
    const pictures = findBox(boxes, 'mdat')
    expect(findBox(boxes, `${TRACK}/stco`).content.readUInt32BE(8)).toBe(pictures.start)

    const sizes = findBox(boxes, `${TRACK}/stsz`).content
    const keys = findBox(boxes, `${TRACK}/stss`).content
    const kinds: number[] = []
    let at = pictures.start
    for (let sample = 0; sample < sizes.readUInt32BE(8); sample += 1) {
      const size = sizes.readUInt32BE(12 + 4 * sample)
      expect(file.readUInt32BE(at)).toBe(size - 4)
      kinds.push(file.readUInt8(at + 4) & 0x1f)
      at += size
    }
    expect(at).toBe(pictures.start + pictures.content.length)
    expect([keys.readUInt32BE(4), keys.readUInt32BE(8), keys.readUInt32BE(12)]).toEqual([2, 1, 61])
    expect(kinds.flatMap((kind, sample) => (kind === 5 ? [sample + 1] : []))).toEqual([1, 61])
  })

  it('has the data that a decoder needs first', () => {
    const boxes = readBoxes(makeClip({ width: 1920, height: 1080, seconds: 4, label: '3f7ac1' }))
    const description = findBox(boxes, `${TRACK}/stsd`).content.subarray(8)
    const [decoder] = readBoxes(description.subarray(86))
    expect(decoder?.type).toBe('avcC')
    expect([...(decoder?.content.subarray(0, 6) ?? [])]).toEqual([1, 66, 0xc0, 40, 0xff, 0xe1])
    expect(decoder?.content[8]).toBe(0x67)
  })

  it('is small, always the same, and different for each label', () => {
    const spec = { width: 1280, height: 720, seconds: 5, label: '3f7ac1' }
    const clip = makeClip(spec)
    expect(clip.length).toBeLessThan(40_000)
    expect(makeClip(spec).equals(clip)).toBe(true)
    expect(makeClip({ ...spec, label: 'c13f7a' }).equals(clip)).toBe(false)
  })
})
