import { readdirSync, readFileSync } from 'node:fs'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { startRedis } from '../test/servers/redis-server.ts'
import { atLeast, type Figures } from './figures.ts'
import { startPeer } from './peers/start-peer.ts'
import { amountOf, inTurn, median } from './rounds.ts'
import { drive } from './text/drive.ts'
import { cpuSecondsOf } from './text/process-cost.ts'
import { requestIn } from './text/requests.ts'
import type { Way } from './text/stage.ts'
import { startSluice } from './text/start-sluice.ts'

const REQUESTS = amountOf(3_000)
const GOAL_TIMES = 1.6

interface Round {
  requestsPerSecond: number
  /** For each worker, how many of the seconds it was on a core. */
  shares: number[]
  cpuMicrosPerRequest: number
}

/** Whole replies through one worker and through two, each on PostgreSQL and Redis of its own. */
export async function twoWorkers(): Promise<Figures[]> {
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
  for (const way of ways) await drive(way, REQUESTS * 2)
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
  return [
    {
      title: 'One worker and two, whole replies, 64 at once',
      note: 'On PostgreSQL and Redis. The goal holds where each worker has a core; clients, vendor, PostgreSQL and Redis share the cores with them here.',
      rows: Object.fromEntries(rows),
      goals: [atLeast('Two workers against one', two / one, GOAL_TIMES, 'times')],
    },
  ]
}

async function measure(way: Way): Promise<Round> {
  const children = childrenOf(way.pid)
  // One worker is the process itself.
  const workers = children.length === 0 ? [way.pid] : children
  const before = workers.map(cpuSecondsOf)
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

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}
