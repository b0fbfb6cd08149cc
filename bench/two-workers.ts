import { readdirSync, readFileSync } from 'node:fs'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { startRedis } from '../test/servers/redis-server.ts'
import { atLeast, type Figures } from './figures.ts'
import { startPeer } from './peers/start-peer.ts'
import { amountOf, inTurn, median } from './rounds.ts'
import { drive } from './text/drive.ts'
import { holdToPart } from './text/hold-to-part.ts'
import { cpuSecondsOf } from './text/process-cost.ts'
import { requestIn } from './text/requests.ts'
import type { Way } from './text/stage.ts'
import { startSluice } from './text/start-sluice.ts'

const REQUESTS = amountOf(3_000)
const GOAL_TIMES = 1.6
/** Number of warm-up requests for each worker, so that two workers are as warm as one. */
const WARM_UP_REQUESTS = amountOf(15_000)

interface Round {
  requestsPerSecond: number
  /** Share of the seconds that each worker was on a core. */
  shares: number[]
  cpuMicrosPerRequest: number
}

/**
 * Part of a core for each worker: so little that the machine has room for two workers, clients, vendor and stores. Only
 * then does the gain of a second worker show.
 */
const PART_OF_A_CORE = 0.25

/** Whole replies through one worker and through two, each with its own PostgreSQL and Redis. */
export async function twoWorkers(): Promise<Figures[]> {
  // Control groups can be removed only when they are empty.
  await using groups = new AsyncDisposableStack()
  await using started = new AsyncDisposableStack()
  const upstream = started.adopt(await startPeer('text-upstream.ts', {}), (peer) => peer.stop())
  const ways: Way[] = []
  for (const workers of [1, 2]) {
    const database = started.adopt(await startPostgres(), (server) => server.remove())
    const redis = started.adopt(await startRedis(), (server) => server.remove())
    const shared = {
      SLUICE_SECRET: 'a secret of more than thirty-two characters',
      ...{ DATABASE_URL: database.url, REDIS_URL: redis.url },
    }
    const gateway = await startSluice(upstream.url, shared, workers)
    started.defer(() => gateway.stop())
    ways.push({
      ...{ name: `${workers} of them`, kind: 'sluice', client: 'messages', isConverted: false },
      ...{ url: gateway.url, pid: gateway.pid },
      headers: {
        ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        authorization: `Bearer ${gateway.key}`,
      },
      request: requestIn('messages', { model: 'vendorC/messages', stream: false }),
    })
  }
  for (const way of ways) await drive(way, WARM_UP_REQUESTS * workersOf(way).length)
  const unbounded = await compare(ways, 'One worker and two, whole replies, 64 at once')
  const crowded = {
    ...unbounded.figures,
    note: 'On PostgreSQL and Redis. Clients, vendor, PostgreSQL and Redis share the cores with the workers: no core is free for each of them, so there is no goal here.',
  }
  for (const pid of ways.flatMap(workersOf)) {
    const held = holdToPart(pid, PART_OF_A_CORE)
    if (held === undefined) return [{ ...crowded, goals: [goalOf('Two workers against one', unbounded)] }]
    groups.defer(() => held.release())
  }
  const alone = await compare(ways, `The same, each worker with ${PART_OF_A_CORE} of a core for itself`)
  const note =
    'The workers are held to their part (a quota of Linux), so that both of them get it, with room for all the others.'
  const goals = [goalOf(`Two workers against one, each with ${PART_OF_A_CORE} of a core for itself`, alone)]
  return [crowded, { ...alone.figures, note, goals }]
}

interface Compared {
  figures: Figures
  /** Requests a second of two workers against one. */
  times: number
}

function goalOf(work: string, { times }: Compared) {
  return atLeast(work, times, GOAL_TIMES, 'times')
}

async function compare(ways: readonly Way[], title: string): Promise<Compared> {
  const rounds = await inTurn(ways, measure)
  const [one = NaN, two = NaN] = [...rounds.values()].map((found) =>
    median(found.map(({ requestsPerSecond }) => requestsPerSecond)),
  )
  const rows = [...rounds].map(([{ name }, found]) => [
    name,
    {
      'requests/s': median(found.map(({ requestsPerSecond }) => requestsPerSecond)),
      'CPU us/request': median(found.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)),
      'cores that each had':
        found[0]?.shares
          .map((_, index) => median(found.map(({ shares }) => shares[index] ?? NaN)).toFixed(2))
          .join(' + ') ?? '',
    },
  ])
  return { figures: { title, rows: Object.fromEntries(rows) }, times: two / one }
}

async function measure(way: Way): Promise<Round> {
  const workers = workersOf(way)
  const before = workers.map((pid) => cpuSecondsOf(pid))
  const began = performance.now()
  const { requestsPerSecond } = await drive(way, REQUESTS)
  const seconds = (performance.now() - began) / 1_000
  const used = workers.map((pid, index) => cpuSecondsOf(pid) - (before[index] ?? NaN))
  const cpuSeconds = used.reduce((sum, each) => sum + each, 0)
  return {
    requestsPerSecond,
    shares: used.map((each) => each / seconds),
    cpuMicrosPerRequest: (cpuSeconds / REQUESTS) * 1e6,
  }
}

/** One worker is the process itself. */
function workersOf({ pid }: Way): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.length === 0 ? [pid] : children
}
