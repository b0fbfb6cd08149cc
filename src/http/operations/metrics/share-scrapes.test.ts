import { expect, test } from 'vitest'
import { shareScrapes } from './operation.ts'

test('many scrapers share the scrape after the pause, and each gets a response that is newer than its request', async () => {
  let scrapes = 0
  const pauses: PromiseWithResolvers<void>[] = []
  const ask = shareScrapes(
    async () => ++scrapes,
    () => {
      const pause = Promise.withResolvers<void>()
      pauses.push(pause)
      return pause.promise
    },
  )
  expect(await ask()).toBe(1)
  const crowd = Array.from({ length: 100 }, () => ask())
  await Promise.resolve()
  expect(scrapes).toBe(1)
  pauses[0]?.resolve()
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([2]))
  expect(scrapes).toBe(2)
  pauses[1]?.resolve()
  await expect.poll(ask).toBe(3)
})

test('a scrape that fails is made again', async () => {
  let isBroken = true
  const ask = shareScrapes(
    async () => {
      if (isBroken) throw new Error('broken')
      return 'well'
    },
    async () => {},
  )
  await expect(ask()).rejects.toThrow('broken')
  isBroken = false
  expect(await ask()).toBe('well')
})
