import { expect, test } from 'vitest'
import { FrameParts } from './frame-parts.ts'

/** A client's frame with this first byte and `bytes` bytes of content. */
function frame(first: number, bytes: number): Buffer {
  const head = Buffer.alloc(bytes < 126 ? 6 : bytes < 65_536 ? 8 : 14)
  head[0] = first
  head[1] = 0x80 | (bytes < 126 ? bytes : bytes < 65_536 ? 126 : 127)
  if (head.length === 8) head.writeUInt16BE(bytes, 2)
  if (head.length === 14) head.writeBigUInt64BE(BigInt(bytes), 2)
  return Buffer.concat([head, Buffer.alloc(bytes)])
}

const BEGIN = 0x01
const MORE = 0x00
const LAST = 0x80
const WHOLE = 0x81
const PING = 0x89

const pings = (count: number) => Array.from({ length: count }, () => frame(PING, 4))
const event = (parts: number, bytes: number) => [
  frame(BEGIN, bytes),
  ...Array.from({ length: parts - 2 }, () => frame(MORE, bytes)),
  frame(LAST, bytes),
]

/** Whether `frames`, in packets of `packetBytes`, are refused. */
function isRefused(frames: Buffer[], packetBytes = 65_536): boolean {
  const counted = new FrameParts()
  const all = Buffer.concat(frames)
  for (let at = 0; at < all.length; at += packetBytes)
    if (counted.read(all.subarray(at, at + packetBytes))) return true
  return false
}

test.each([1, 5, 7, 1_000, 65_536])('an event in many tiny parts is refused (packets of %d)', (packet) => {
  expect(isRefused(event(256, 1), packet)).toBe(false)
  expect(isRefused(event(258, 1), packet)).toBe(true)
  expect(isRefused(event(1_000, 0), packet)).toBe(true)
})

test('a large event may come in many parts of 4 KiB', () => {
  expect(isRefused(event(7_936, 4_096))).toBe(false)
  expect(isRefused(event(400, 70_000))).toBe(false)
})

test('whole events do not count as parts, nor do pings between parts', () => {
  expect(isRefused(Array.from({ length: 10_000 }, () => frame(WHOLE, 2)))).toBe(false)
  expect(isRefused(Array.from({ length: 100 }, () => event(250, 1)).flat())).toBe(false)
  expect(isRefused([frame(BEGIN, 1), ...pings(64), ...event(258, 1).slice(1)])).toBe(true)
  expect(isRefused([frame(BEGIN, 1), ...pings(64), ...event(256, 1).slice(1)])).toBe(false)
})

test.each([1, 5, 65_536])(
  'more than 256 control frames between two ticks are refused (packets of %d)',
  (packet) => {
    expect(isRefused(pings(256), packet)).toBe(false)
    expect(isRefused(pings(257), packet)).toBe(true)
    const counted = new FrameParts()
    expect(counted.read(Buffer.concat(pings(256)))).toBe(false)
    counted.controls = 0
    expect(counted.read(Buffer.concat(pings(256)))).toBe(false)
    expect(counted.read(Buffer.concat(pings(1)))).toBe(true)
  },
)

test.each([1, 3, 6, 8, 14, 17, 65_536])(
  'content is unmasked and its mask is zeros (packets of %d)',
  (packet) => {
    const lengths = [0, 1, 5, 125, 126, 200, 65_535, 65_536, 70_001]
    const frames = lengths.map((bytes, at) => frame(at === 3 ? PING : WHOLE, bytes))
    const plain = Buffer.concat(
      frames.map((one, at) => Buffer.from(one).fill('content', one.length - (lengths[at] ?? 0))),
    )
    const sent = Buffer.from(plain)
    let end = 0
    for (const [at, one] of frames.entries()) {
      const begin = end + one.length - (lengths[at] ?? 0)
      end += one.length
      const mask = [0x12, 0, 0xff, at]
      sent.set(mask, begin - 4)
      for (let byte = begin; byte < end; byte += 1)
        sent[byte] = (sent[byte] ?? 0) ^ (mask[(byte - begin) % 4] ?? 0)
    }
    const counted = new FrameParts()
    for (let at = 0; at < sent.length; at += packet) counted.read(sent.subarray(at, at + packet))
    expect(sent.equals(plain)).toBe(true)
  },
)
