import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallbackReceiver, openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { type OpenBooks, openPostgresBooks, openSqliteBooks } from './video-books.ts'
import { CRASH_POINTS, CRASH_STAND_INS } from './video-crash-points.ts'
import { liveThroughCrashes, type StoryCounts, sumOf } from './video-scenario.ts'
import { type CountingVendors, openCountingVendors } from './video-vendors.ts'

const TIMEOUT_MS = 3_600_000
/** Scenarios that run side by side: most of the time they wait for leases to lapse. */
const LANES = 4
const SPEED = 60

describe.each<{ name: string; open: OpenBooks; rounds: number }>([
  { name: 'SQLite', open: openSqliteBooks, rounds: roundsOf({ slice: 1, whole: 25 }) },
  { name: 'PostgreSQL', open: openPostgresBooks, rounds: roundsOf({ slice: 1, whole: 25 }) },
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
        const books = await open({ standIns: CRASH_STAND_INS })
        try {
          const scenario = { name: `${name}.${round}`, books, vendors, receiver, points: CRASH_POINTS }
          totals.push(await liveThroughCrashes({ ...scenario, random: seededRandom(seed + round) }))
        } finally {
          await books.close()
        }
      }
    }
    await Promise.all(Array.from({ length: LANES }, runLane))
    const counts = sumOf(totals)
    reportFigure(`video crashes on ${name}: ${JSON.stringify(counts)}`)
    expect(counts.crashes).toBe(rounds * CRASH_POINTS.length)
    expect(counts.handedOver).toBeGreaterThan(0)
  })
})
