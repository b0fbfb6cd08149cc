import { median } from '../median.ts'
import { checkWays } from './check-ways.ts'
import { drive, type Load, timeInTurn } from './drive.ts'
import { reportGoals, type WayFigures } from './report-goals.ts'
import { openStage, type Way } from './stage.ts'

const ROUNDS = 5
/** A server runs for days: both sides are compared after the engine has compiled their code. */
const WARM_UP_REQUESTS = 16_000
const REQUESTS_PER_ROUND = 4_000
/** It takes its time. */
const REQUESTS_OF_THE_OTHER = 500
const TIMED_REQUESTS = 400

/** The same upstream over every way: what a request costs, how many there are in a second, and how much later it comes. */
export async function compareWays({ stream }: { stream: boolean }): Promise<void> {
  const stage = await openStage({ stream })
  try {
    await checkWays(stage.ways)
    const driven = stage.ways.filter(({ kind }) => kind !== 'direct')
    const loads = await driveInTurn(driven)
    const times = await timeInTurn(stage.ways, TIMED_REQUESTS)
    const figures = driven.map((way): WayFigures => {
      const direct = stage.ways.find(({ kind, client }) => kind === 'direct' && client === way.client)
      const added = (share: number) =>
        quantile(times.get(way) ?? [], share) - quantile(times.get(direct ?? way) ?? [], share)
      return { way, ...medianLoad(loads.get(way) ?? []), addedP50Ms: added(0.5), addedP99Ms: added(0.99) }
    })
    show(figures)
    reportGoals(figures)
  } finally {
    await stage.stop()
  }
}

async function driveInTurn(ways: readonly Way[]): Promise<Map<Way, Load[]>> {
  const loads = new Map<Way, Load[]>(ways.map((way) => [way, []]))
  const amountFor = (way: Way, amount: number) => (way.kind === 'portkey' ? REQUESTS_OF_THE_OTHER : amount)
  for (const way of ways) await drive(way, amountFor(way, WARM_UP_REQUESTS))
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) loads.get(way)?.push(await drive(way, amountFor(way, REQUESTS_PER_ROUND)))
  }
  return loads
}

function medianLoad(loads: readonly Load[]): Load {
  return {
    cpuMicrosPerRequest: median(loads.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)),
    requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

function show(figures: readonly WayFigures[]): void {
  console.table(
    Object.fromEntries(
      figures.map(({ way, cpuMicrosPerRequest, requestsPerSecond, addedP50Ms, addedP99Ms }) => [
        way.name,
        {
          'CPU us/request': cpuMicrosPerRequest.toFixed(0),
          'requests/s': Math.round(requestsPerSecond),
          'added p50 ms': addedP50Ms.toFixed(2),
          'added p99 ms': addedP99Ms.toFixed(2),
        },
      ]),
    ),
  )
}
