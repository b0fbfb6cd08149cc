import { expect, test } from 'vitest'
import { terminalOf } from './text-stream.ts'
import { expectPriced, openTextWorld, type TextWorld } from './text-world.ts'

const STREAMS = 100
const ROUNDS = 3
/** Prompts of streams that end within the grace, and of streams that would never end. */
const PROMPTS = ['[count 20] [pace 50]', '[count 60] [pace 50]', '[count 9999] [pace 50]', '[silent]']

test(`${STREAMS} long streams while the server stops, ${ROUNDS} times: none is cut without its final events`, {
  timeout: 900_000,
}, async () => {
  const world = await openTextWorld({ SHUTDOWN_GRACE_MS: '5000' })
  try {
    const counts = { completed: 0, failed: 0, refused: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) await world.gateway.restart()
      const streams = Array.from({ length: STREAMS }, (_, place) =>
        world.open(place, PROMPTS[Math.floor(place / 6) % PROMPTS.length] ?? ''),
      )
      const asked = (round + 1) * STREAMS
      await expect.poll(() => callsSeen(world), { interval: 20 }).toBe(asked)
      const left = world.gateway.kill('SIGTERM')
      const ends = await Promise.all(streams.map(({ ended }) => ended))
      expect(await left).toEqual({ code: 0, signal: null })
      for (const end of ends) {
        const terminal = end.status === 200 ? terminalOf(end) : 'refused'
        expect({ ...end, terminal }).toMatchObject({
          status: expect.toBeOneOf([200, 503, 529]),
          terminal: expect.toBeOneOf(['completed', 'failed', 'refused']),
          isBroken: false,
        })
        if (terminal !== undefined) counts[terminal] += 1
      }
      // No running request goes unbilled, or is billed twice.
      expect(await world.books.rows('select id from text_usage')).toHaveLength(asked)
    }
    process.stdout.write(`text draining: ${JSON.stringify(counts)}\n`)
    expect(counts.completed).toBeGreaterThan(0)
    expect(counts.failed).toBeGreaterThan(0)
    await expectPriced(world)
    await world.expectSoundLedger()
    await world.gateway.restart()
  } finally {
    await world.close()
  }
})

async function callsSeen({ vendorCounts }: TextWorld): Promise<number> {
  const { open, finished, aborted } = await vendorCounts()
  return open + finished + aborted
}
