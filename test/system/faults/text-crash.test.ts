import { expect, test } from 'vitest'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { expectPriced, openTextWorld } from './text-world.ts'

const STREAMS = 60
const ROUNDS = 5

test(`kill -9 during ${STREAMS} streams, ${ROUNDS} times: the ledger stays sound`, {
  timeout: 900_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const world = await openTextWorld()
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const streams = Array.from({ length: STREAMS }, (_, place) =>
        world.open(place, `[count ${random.integer(5, 400)}] [pace ${random.integer(1, 20)}]`),
      )
      await Promise.all(streams.slice(0, random.integer(1, STREAMS)).map(({ begun }) => begun))
      expect(await world.gateway.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
      await Promise.all(streams.map(({ ended }) => ended))
      await expect.poll(async () => (await world.vendorCounts()).open, { interval: 25 }).toBe(0)
      await world.gateway.restart()
      await world.expectSoundLedger()
    }
    // The gateway still serves and charges after the last kill.
    const before = (await world.books.rows('select id from text_usage')).length
    await Promise.all([0, 1, 2, 3, 4, 5].map((turn) => world.open(turn, '[count 5]').ended))
    expect(await world.usage(before + 6)).toHaveLength(before + 6)
    await expectPriced(world)
    await world.expectSoundLedger()
  } finally {
    await world.close()
  }
})
