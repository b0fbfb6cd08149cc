import { expect, test } from 'vitest'
import { roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { expectPriced, openTextWorld } from './text-world.ts'

const CONCURRENT = 60
const HANG_UPS = CONCURRENT * roundsOf({ slice: 10, whole: 50 })
/** A loaded machine may take long; a call that is never ended fails here. */
const CLOSED_WITHIN_MS = 60_000
const PROMPTS = [
  '[count 9999] [pace 20]',
  '[reason] [words 9999] [pace 50]',
  '[long 9999] [pace 10]',
] as const

test(`${HANG_UPS} clients hang up: each vendor's call is ended, and each is billed once`, {
  timeout: 900_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  // The gateway reads a reasoning reply on for its usage after the client has left; here only for 100 ms.
  const world = await openTextWorld({ HANG_UP_LISTEN_MS: '100' })
  try {
    for (let gone = 0; gone < HANG_UPS; gone += CONCURRENT) {
      const streams = Array.from({ length: CONCURRENT }, (_, place) =>
        world.open(gone + place, random.pick(PROMPTS)),
      )
      await Promise.all(streams.map(({ begun }) => begun))
      expect(await world.vendorCounts()).toMatchObject({ open: CONCURRENT, aborted: gone })
      for (const { hangUp } of streams) hangUp()
      await expect
        .poll(world.vendorCounts, { timeout: CLOSED_WITHIN_MS, interval: 25 })
        .toEqual({ open: 0, finished: 0, aborted: gone + CONCURRENT })
    }
    const rows = await world.usage(HANG_UPS)
    expect(rows).toHaveLength(HANG_UPS)
    expect(rows.filter(({ outcome }) => outcome !== 'hung-up')).toEqual([])
    expect(rows.filter(({ output_tokens }) => Number(output_tokens) < 1)).toEqual([])
    await expectPriced(world)
    await world.expectSoundLedger()
  } finally {
    await world.close()
  }
})
