import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallbackReceiver, openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { roundsOf, tellFigure } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { type OpenBooks, openPostgresBooks, openSqliteBooks } from './video-books.ts'
import { CRASH_POINTS, liveThroughCrashes, type StoryCounts } from './video-story.ts'
import { type CountingVendors, openCountingVendors } from './video-vendors.ts'

const TIMEOUT_MS = 900_000
/** Stories that run side by side: most of one is waiting for leases to lapse. */
const LANES = 4
const SPEED = 60

describe.each<{ name: string; open: OpenBooks; rounds: number }>([
  { name: 'SQLite', open: openSqliteBooks, rounds: roundsOf({ slice: 20, whole: 25 }) },
  { name: 'PostgreSQL', open: openPostgresBooks, rounds: roundsOf({ slice: 2, whole: 25 }) },
])('a gateway that is killed with -9, on $name', ({ name, open, rounds }) => {
  let folder: string
  let vendors: CountingVendors
  let receiver: CallbackReceiver
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-video-vendors-'))
    vendors = await openCountingVendors({ folder, speed: SPEED })
    receiver = await openCallbackReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await vendors.close()
    rmSync(folder, { recursive: true })
  })

  test(`at each of ${CRASH_POINTS.length} points, ${rounds} times: nothing is lost, sent or settled twice`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const seed = seedOfRun()
    const totals: StoryCounts[] = []
    let next = 0
    async function runLane(): Promise<void> {
      for (let round = next++; round < rounds; round = next++) {
        const books = await open()
        try {
          const random = seededRandom(seed + round)
          totals.push(
            await liveThroughCrashes({ name: `${name}.${round}`, books, vendors, receiver, random }),
          )
        } finally {
          await books.close()
        }
      }
    }
    await Promise.all(Array.from({ length: LANES }, runLane))
    const counts = sumOf(totals)
    tellFigure(`video crashes on ${name}: ${JSON.stringify(counts)}`)
    expect(counts.crashes).toBe(rounds * CRASH_POINTS.length)
  })
})

function sumOf(totals: readonly StoryCounts[]): StoryCounts {
  const sum: StoryCounts = {
    crashes: 0,
    orders: 0,
    succeeded: 0,
    lost: 0,
    resent: 0,
    callbacks: 0,
    repeated: 0,
  }
  for (const counts of totals) {
    sum.crashes += counts.crashes
    sum.orders += counts.orders
    sum.succeeded += counts.succeeded
    sum.lost += counts.lost
    sum.resent += counts.resent
    sum.callbacks += counts.callbacks
    sum.repeated += counts.repeated
  }
  return sum
}
