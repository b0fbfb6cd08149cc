import { expect, test } from 'vitest'
import { createMemoryRateMeter } from './rate-meter.ts'

function open(maxBuckets: number) {
  let atMs = 5_000
  const meter = createMemoryRateMeter({
    clock: { nowMs: () => 0, monotonicMs: () => atMs },
    maxBuckets,
  })
  return {
    size: meter.size,
    take: (keyId: string) =>
      meter.take({ organizationId: 'org_1', keyId, keyPerMinute: 60, organizationPerMinute: undefined }),
    pass: (ms: number) => {
      atMs += ms
    },
  }
}

test('answers without a promise', () => {
  expect(open(10).take('key_1')).toEqual({
    allowed: true,
    limitPerMinute: 60,
    remaining: 59,
    resetMs: 1_000,
    retryAfterMs: 0,
  })
})

test('a flood of keys stays within the bound', () => {
  const meter = open(100)
  for (let key = 0; key < 10_000; key += 1) meter.take(`key_${key}`)
  expect(meter.size()).toBeLessThanOrEqual(100)
})

test('buckets that are full again are dropped when new ones come', () => {
  const meter = open(10_000)
  for (let key = 0; key < 1_000; key += 1) meter.take(`old_${key}`)
  meter.pass(60_000)
  for (let key = 0; key < 1_000; key += 1) meter.take(`new_${key}`)
  expect(meter.size()).toBe(1_000)
})

test('below the bound no bucket in use is forgotten', () => {
  const meter = open(3_000)
  for (let turn = 0; turn < 60; turn += 1) meter.take('busy')
  for (let key = 0; key < 2_000; key += 1) meter.take(`other_${key}`)
  expect(meter.take('busy').allowed).toBe(false)
})
