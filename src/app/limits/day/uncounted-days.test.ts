import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { micros } from '../../../domain/billing/micros.ts'
import type { DailyLimit } from '../user-limits.ts'
import { uncountedDays } from './uncounted-days.ts'

const LIMIT = { entry: { maxDailyUserLimit: '1', enableLimit: true }, limitMicros: micros(1_000_000) }
const today = { userId: 'usr_1', day: '2026-05-04' }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function setup() {
  let nowMs = 0
  const asked: string[] = []
  const recounted: string[] = []
  let answer = async (_userId: string): Promise<DailyLimit> => LIMIT
  const uncounted = uncountedDays({
    limits: {
      findSince: (userId, sinceMs) => {
        asked.push(`${userId} since ${sinceMs}`)
        return answer(userId)
      },
    },
    recount: async ({ userId, day }) => void recounted.push(`${userId} ${day}`),
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
  })
  return {
    ...uncounted,
    asked,
    recounted,
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 500) {
        nowMs += Math.min(left, 500)
        await vi.advanceTimersByTimeAsync(Math.min(left, 500))
      }
    },
    setAnswer: (next: (userId: string) => Promise<DailyLimit>) => {
      answer = next
    },
  }
}

test('a quiet day is checked once, and recounted when there is a limit after all', async () => {
  const { note, pass, asked, recounted } = setup()
  note(today)
  await pass(4_000)
  expect(asked).toEqual([])
  await pass(1_000)
  expect(asked).toEqual(['usr_1 since 0'])
  expect(recounted).toEqual(['usr_1 2026-05-04'])
  await pass(60_000)
  expect(asked).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('without a limit there is nothing to count', async () => {
  const { note, pass, setAnswer, asked, recounted } = setup()
  setAnswer(async () => undefined)
  note(today)
  await pass(10_000)
  expect(asked).toHaveLength(1)
  expect(recounted).toEqual([])
})

test('the time begins again with every note', async () => {
  const { note, pass, asked } = setup()
  for (let turn = 0; turn < 5; turn += 1) {
    note(today)
    await pass(4_000)
  }
  expect(asked).toEqual([])
  await pass(1_000)
  expect(asked).toEqual(['usr_1 since 16000'])
})

test('a day that cannot be read stays, and does not delay other days', async () => {
  const { note, pass, setAnswer, recounted } = setup()
  setAnswer(async (userId) => {
    if (userId.startsWith('bad')) throw new Error('away')
    return LIMIT
  })
  for (let user = 0; user < 150; user += 1) note({ userId: `bad_${user}`, day: today.day })
  note(today)
  await pass(7_000)
  expect(recounted).toEqual(['usr_1 2026-05-04'])
  setAnswer(async () => LIMIT)
  await pass(1_000)
  expect(recounted).toHaveLength(151)
})

test('many days are checked in one pass', async () => {
  const { note, pass, recounted } = setup()
  for (let user = 0; user < 1_000; user += 1) note({ userId: `usr_${user}`, day: today.day })
  await pass(4_500)
  expect(new Set(recounted).size).toBe(1_000)
})

test('a taken day is not checked later', async () => {
  const { note, take, pass, asked, recounted } = setup()
  note(today)
  expect(take({ ...today, day: '2026-05-05' })).toBe(false)
  expect(take(today)).toBe(true)
  expect(take(today)).toBe(false)
  await pass(10_000)
  expect(asked).toEqual([])
  expect(recounted).toEqual([])
})

test('a day that is added again during its check is checked again', async () => {
  const { note, pass, setAnswer, asked, recounted } = setup()
  setAnswer(async () => {
    if (asked.length === 1) note(today)
    return LIMIT
  })
  note(today)
  await pass(5_000)
  expect(recounted).toEqual([])
  await pass(5_000)
  expect(recounted).toEqual(['usr_1 2026-05-04'])
})

test('reads nothing after its close', async () => {
  const { note, close, pass, asked } = setup()
  note(today)
  close()
  note({ ...today, userId: 'usr_2' })
  await pass(10_000)
  expect(asked).toEqual([])
})
