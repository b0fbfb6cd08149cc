import { expect, test } from 'vitest'
import { timeOfId } from '../../app/receipts/get-receipts.ts'
import { createIds } from './ids.ts'

function clockFrom(times: number[]) {
  const queue = [...times]
  return { nowMs: () => queue.shift() ?? times.at(-1) ?? 0, monotonicMs: () => 0 }
}

test('ids sort in the order they were made, also while the clock stands still', () => {
  const newId = createIds(clockFrom([1_700_000_000_000]))
  const ids = Array.from({ length: 70_000 }, () => newId('task'))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('ids keep growing when the clock jumps back', () => {
  const newId = createIds(clockFrom([2_000, 1_000, 500, 2_001]))
  const ids = Array.from({ length: 4 }, () => newId('org'))
  expect(ids.toSorted()).toEqual(ids)
})

test('an id is its prefix and 32 hex digits that begin with the time', () => {
  expect(createIds(clockFrom([0x123456789abc]))('key')).toMatch(/^key_123456789abc0000[0-9a-f]{16}$/)
})

test('the time of an id can be read from it, and from nothing else', () => {
  expect(timeOfId(createIds(clockFrom([1_700_000_000_123]))('req'))).toBe(1_700_000_000_123)
  for (const other of ['', 'req_', 'req_019a2b3c', 'task', `req_${'x'.repeat(32)}`, `req_${'0'.repeat(33)}`])
    expect(timeOfId(other)).toBeUndefined()
})
