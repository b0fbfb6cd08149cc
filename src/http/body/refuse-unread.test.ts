import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DroppedBodies } from './refuse-unread.ts'

const CHUNK = Buffer.alloc(64 * 1024)
const MEBIBYTE = 1024 * 1024

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

test('refused bodies share the bytes of a tick, and are read on in the next', async () => {
  const dropped = new DroppedBodies()
  const ends: boolean[] = []
  let bytes = 0
  for (let body = 0; body < 3; body += 1) {
    const raw = Readable.from(Array.from({ length: 48 }, () => CHUNK)) as Readable & IncomingMessage
    dropped.add(raw, (isWhole) => void ends.push(isWhole))
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
  }
  const read = async () => {
    for (let turns = 0; turns < 200; turns += 1) await turn()
    return bytes / MEBIBYTE
  }
  // Each body that is being read may bring one chunk more.
  expect(await read()).toBeLessThanOrEqual(4.25)
  vi.advanceTimersByTime(99)
  expect(await read()).toBeLessThanOrEqual(4.25)
  vi.advanceTimersByTime(1)
  expect(await read()).toBeGreaterThan(7.5)
  expect(await read()).toBeLessThanOrEqual(8.5)
  vi.advanceTimersByTime(100)
  expect(await read()).toBe(9)
  expect(ends).toEqual([true, true, true])
})

test('a refused body that does not end in 5 s, or is longer than 32 MiB, is cut once', async () => {
  const dropped = new DroppedBodies()
  const ends: string[] = []
  const silent = new Readable({ read() {} }) as Readable & IncomingMessage
  dropped.add(silent, (isWhole) => void ends.push(`silent ${isWhole}`))
  const long = new Readable({ read() {} }) as Readable & IncomingMessage
  dropped.add(long, (isWhole) => void ends.push(`long ${isWhole}`))
  for (let pushed = 0; pushed < 49; pushed += 1) {
    for (let chunk = 0; chunk < 16; chunk += 1) long.push(CHUNK)
    await turn()
    vi.advanceTimersByTime(100)
    await turn()
  }
  expect(ends).toEqual(['long false'])
  vi.advanceTimersByTime(100)
  expect(ends).toEqual(['long false', 'silent false'])
  silent.destroy()
  await turn()
  expect(ends).toHaveLength(2)
})
