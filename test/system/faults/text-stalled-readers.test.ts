import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TextStream } from './text-stream.ts'
import { expectPriced, openTextWorld, type TextWorld } from './text-world.ts'

const READERS = 500
/** One organization never gets all connections of an upstream, so there are more than its readers need. */
const CONNECTIONS = READERS * 2
/** Number of streams that start at the same time: few, because the vendor runs in the process of the tests. */
const CONCURRENT = 50
const BYTES_EACH_MAX = 1_048_576
/** 20 to 40 MB of events, and little text: a reply's text is kept for its last event, also when the client does not read. */
const PROMPT = '[words 200000]'
/** A kernel may grow the buffer of a socket to 32 MB, and then a vendor may send a whole reply without a reader. */
const WAITING_MIN = READERS * 0.9
const LOOK_EVERY_MS = 250
/** This many looks without growth mean that every reply waits. */
const QUIET_LOOKS = 8
const LOOKS_MAX = 240

test(`${READERS} clients that read nothing: their vendors are paused, and little is buffered for each`, {
  timeout: 900_000,
}, async () => {
  const world = await openTextWorld({ UPSTREAM_CONNECTIONS: String(CONNECTIONS) })
  try {
    await Promise.all([0, 1, 2, 3, 4, 5].map((turn) => world.open(turn, '[words 2000]').ended))
    const before = await residentBytes(world)
    const streams: TextStream[] = []
    while (streams.length < READERS) {
      const more = Array.from({ length: CONCURRENT }, (_, place) =>
        world.open(streams.length + place, PROMPT),
      )
      for (const stream of more) stream.begun.then(stream.stall, () => {})
      await Promise.all(more.map(({ begun }) => begun))
      streams.push(...more)
    }
    const after = await mostResidentBytes(world)
    process.stdout.write(
      `text stalled readers: ${Math.round((after - before) / READERS / 1_024)} KB each at most\n`,
    )
    expect((await world.vendorCounts()).open).toBeGreaterThanOrEqual(WAITING_MIN)
    expect((after - before) / READERS).toBeLessThanOrEqual(BYTES_EACH_MAX)
    for (const { hangUp } of streams) hangUp()
    const rows = await world.usage(READERS + 6)
    expect(rows.filter(({ outcome }) => outcome === 'hung-up')).toHaveLength(READERS)
    await expectPriced(world)
    await world.expectSoundLedger()
  } finally {
    await world.close()
  }
})

async function mostResidentBytes(world: TextWorld): Promise<number> {
  let most = 0
  let quiet = 0
  for (let look = 0; look < LOOKS_MAX && quiet < QUIET_LOOKS; look += 1) {
    const bytes = await residentBytes(world)
    quiet = bytes > most * 1.01 ? 0 : quiet + 1
    most = Math.max(most, bytes)
    await sleep(LOOK_EVERY_MS)
  }
  return most
}

async function residentBytes({ gateway }: TextWorld): Promise<number> {
  const answer = await fetch(`${gateway.baseUrl}/metrics`)
  const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(await answer.text()) ?? []
  return Number(bytes)
}
