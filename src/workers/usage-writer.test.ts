import { expect, test } from 'vitest'
import { SILENT_LOG } from '../../test/engines/store/silent-log.ts'
import type { UsageBuffer } from '../app/billing/usage-buffer.ts'
import { startUsageWriter } from './usage-writer.ts'

/** A buffer that only counts. The script has the results of the calls of `writeGroup`; later calls succeed. */
function countingBuffer(script: ('well' | 'away' | 'broken')[] = []) {
  let wake = () => {}
  let rows = 0
  let tries = 0
  const buffer: UsageBuffer = {
    waiting: () => rows,
    isFull: () => false,
    add: () => {
      rows += 1
      wake()
    },
    writeGroup: async () => {
      tries += 1
      const turn = script.shift() ?? 'well'
      if (turn === 'broken') throw new Error('broken')
      if (turn === 'well') rows = 0
      return turn === 'well'
    },
    whenDue: (listener) => {
      wake = listener
    },
    close: () => 0,
  }
  const add = (count: number) => {
    rows += count
    wake()
  }
  return { buffer, add, tries: () => tries }
}

test('rows are written soon after they arrive, and no write is attempted without rows', async () => {
  const { buffer, add, tries } = countingBuffer()
  const writer = startUsageWriter({ buffer, log: SILENT_LOG })
  add(3)
  await expect.poll(() => buffer.waiting()).toBe(0)
  expect(tries()).toBe(1)
  add(500)
  await expect.poll(() => buffer.waiting()).toBe(0)
  expect(tries()).toBe(2)
  await writer.stop()
})

test('rows that came before the start of the writer are written too', async () => {
  const { buffer, add } = countingBuffer()
  add(1)
  const writer = startUsageWriter({ buffer, log: SILENT_LOG })
  await expect.poll(() => buffer.waiting()).toBe(0)
  await writer.stop()
})

test('the writer retries after any error', async () => {
  const { buffer, add, tries } = countingBuffer(['away', 'broken', 'away'])
  const writer = startUsageWriter({ buffer, log: SILENT_LOG })
  add(1)
  await expect.poll(() => buffer.waiting()).toBe(0)
  expect(tries()).toBe(4)
  await writer.stop()
})

test('nothing is written after the stop', async () => {
  const { buffer, add, tries } = countingBuffer()
  const writer = startUsageWriter({ buffer, log: SILENT_LOG })
  add(1)
  await writer.stop()
  add(600)
  await new Promise((passed) => setTimeout(passed, 30))
  expect(tries()).toBe(0)
})
