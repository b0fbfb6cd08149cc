import { expect, test } from 'vitest'
import { FrameParts } from './frame-parts.ts'

/** A client's frame with this first byte and so many bytes of content. */
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

const event = (parts: number, bytes: number) => [
  frame(BEGIN, bytes),
  ...Array.from({ length: parts - 2 }, () => frame(MORE, bytes)),
  frame(LAST, bytes),
]

/** Whether bytes that arrive in packets of this length are refused. */
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
  const pings = Array.from({ length: 10_000 }, () => frame(PING, 4))
  expect(isRefused([frame(BEGIN, 1), ...pings, frame(LAST, 1)])).toBe(false)
})
