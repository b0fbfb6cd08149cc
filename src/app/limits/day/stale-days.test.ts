import { expect, test } from 'vitest'
import type { UserDay } from '../../../ports/day-buckets.ts'
import { staleDays } from './stale-days.ts'

const today = { userId: 'usr_1', day: '2026-05-04' }
const tomorrow = { userId: 'usr_1', day: '2026-05-05' }

function setup() {
  const dropped: UserDay[] = []
  let drop = async (_day: UserDay): Promise<void> => {}
  const silent = () => {}
  const stale = staleDays({
    buckets: {
      drop: async (day) => {
        await drop(day)
        dropped.push(day)
      },
    },
    log: { debug: silent, info: silent, warn: silent, error: silent },
  })
  return {
    stale,
    dropped,
    setDrop: (next: (day: UserDay) => Promise<void>) => {
      drop = next
    },
  }
}

test('each day is dropped once, by the first call', async () => {
  const { stale, dropped } = setup()
  for (const day of [today, tomorrow, today]) stale.add(day)
  expect(stale.isEmpty()).toBe(false)
  await Promise.all([stale.drop(), stale.drop()])
  expect(dropped).toEqual([today, tomorrow])
  expect(stale.isEmpty()).toBe(true)
})

test('a day that could not be dropped stays on the list', async () => {
  const { stale, dropped, setDrop } = setup()
  stale.add(today)
  setDrop(() => Promise.reject(new Error('away')))
  await expect(stale.drop()).rejects.toThrow('away')
  expect(stale.isEmpty()).toBe(false)
  setDrop(async () => {})
  await stale.drop()
  expect(dropped).toEqual([today])
})

test('a day that becomes stale again while it is dropped is dropped again', async () => {
  const { stale, dropped, setDrop } = setup()
  stale.add(today)
  let again = true
  setDrop(async (day) => {
    if (again) stale.add(day)
    again = false
  })
  await stale.drop()
  expect(dropped).toEqual([today, today])
  expect(stale.isEmpty()).toBe(true)
})
