import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallbackReceiver, openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { isWholeRun, reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { freePort } from '../../servers/free-port.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { startGateway } from './harness/gateway-process.ts'
import { openPostgresBooks } from './video-books.ts'
import { CRASH_POINTS, CRASH_STAND_INS, type CrashPoint } from './video-crash-points.ts'
import { envOfScenario, liveThroughCrashes, type StoryCounts, sumOf } from './video-scenario.ts'
import { type CountingVendors, openCountingVendors } from './video-vendors.ts'

const TIMEOUT_MS = 3_600_000
/** Pairs of replicas that run side by side. */
const LANES = 3
const SPEED = 60
const ROUNDS = roundsOf({ slice: 1, whole: 25 })

/** CI runs only these points, after which no lease of the dead process has to lapse. */
const SLICE: readonly CrashPoint[] = ['create.after-stand-in', 'attempt.after-upstream', 'settle.before']
const POINTS = isWholeRun() ? CRASH_POINTS : SLICE

/** The client may have seen the end at these points: only the callback is left to the other replica. */
const AFTER_END: ReadonlySet<CrashPoint> = new Set([
  'settle.after',
  'callback.before-send',
  'callback.after-send',
  'callback.after-record',
])

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

test(`two replicas on PostgreSQL and Redis: kill -9 of one at each of ${POINTS.length} points, ${ROUNDS} times; the other ends its tasks, with one charge each`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const seed = seedOfRun()
  const scenarios: StoryCounts[] = []
  let next = 0
  async function runLane(): Promise<void> {
    for (let round = next++; round < ROUNDS; round = next++) scenarios.push(await liveAsPair(round, seed))
  }
  await Promise.all(Array.from({ length: Math.min(LANES, ROUNDS) }, runLane))
  const counts = sumOf(scenarios)
  reportFigure(`video takeovers: ${JSON.stringify(counts)}`)
  expect(counts.crashes).toBe(ROUNDS * POINTS.length)
  const owned = POINTS.filter((point) => !AFTER_END.has(point))
  expect(counts.leftOpen).toBeGreaterThanOrEqual(ROUNDS * owned.length)
  expect(counts.handedOver).toBeGreaterThan(0)
})

async function liveAsPair(round: number, seed: number): Promise<StoryCounts> {
  const [database, redis] = await Promise.all([
    openPostgresBooks({ standIns: CRASH_STAND_INS }),
    freshRedis(),
  ])
  const books = { ...database, env: { ...database.env, REDIS_URL: redis.url } }
  const port = await freePort()
  const noticeBaseUrl = `http://127.0.0.1:${port}`
  try {
    // Both replicas start at the same time, as they do when a deployment begins.
    const starting = startGateway({ port, env: envOfScenario({ books, vendors, noticeBaseUrl }) })
    starting.catch(() => {})
    try {
      return await liveThroughCrashes({
        ...{ name: `pair.${round}`, books, vendors, receiver, points: POINTS },
        survivor: { baseUrl: noticeBaseUrl, started: starting },
        random: seededRandom(seed + round),
      })
    } finally {
      await (await starting).stop()
    }
  } finally {
    await redis.close()
    await database.close()
  }
}
