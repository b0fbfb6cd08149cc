import { expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import { createMemoryDayBuckets } from './day-buckets.ts'

const DAY = '2026-05-04'

function open(maxUsers: number) {
  let nowMs = 1_000
  const buckets = createMemoryDayBuckets({ clock: { nowMs: () => nowMs, monotonicMs: () => 0 }, maxUsers })
  return {
    buckets,
    pass: (ms: number) => {
      nowMs += ms
    },
    build: async (userId: string, expiresAtMs: number) => {
      const lives = await buckets.look(userId, [DAY])
      return buckets.build(userId, {
        day: DAY,
        life: lives[0] ?? '',
        expiresAtMs,
        limitMicros: micros(100),
        stored: { usedMicros: micros(0), version: 0 },
      })
    },
    kindFor: async (userId: string) => (await buckets.reserve({ userId, day: DAY }, micros(1))).kind,
  }
}

test('a bucket lives until its last millisecond and no longer', async () => {
  const { build, pass, kindFor } = open(10)
  await build('usr_1', 2_000)
  pass(999)
  expect(await kindFor('usr_1')).toBe('reserved')
  pass(1)
  expect(await kindFor('usr_1')).toBe('absent')
})

test('a flood of users stays within the bound, and the oldest go first', async () => {
  const { buckets, build, kindFor } = open(50)
  for (let user = 0; user < 1_000; user += 1) await build(`usr_${user}`, 10_000)
  expect(buckets.size()).toBe(50)
  expect(await kindFor('usr_999')).toBe('reserved')
  expect(await kindFor('usr_0')).toBe('absent')
  expect(buckets.size()).toBe(50)
})

test('an announcement without a build is gone after a minute', async () => {
  const { build, buckets, pass } = open(10)
  const [first] = await buckets.look('usr_1', [DAY])
  pass(60_000)
  const [second] = await buckets.look('usr_1', [DAY])
  expect(second).not.toBe(first)
  expect(await build('usr_1', 100_000)).toBe(true)
})
