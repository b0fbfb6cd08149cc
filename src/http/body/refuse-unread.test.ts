import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReadingPace } from './refuse-unread.ts'

const CHUNK = Buffer.alloc(64 * 1024)
const MEBIBYTE = 1024 * 1024

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('refused bodies share what is read in a tick, and go on in the next', async () => {
  const pace = new ReadingPace()
  let bytes = 0
  for (let body = 0; body < 3; body += 1) {
    const raw = Readable.from(Array.from({ length: 48 }, () => CHUNK)) as Readable & IncomingMessage
    pace.watch(raw)
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
})
