import { atLeast, atMost, type Figures, type Goal, share } from '../figures.ts'
import { amountOf, inTurn, median } from '../rounds.ts'
import { checkWays } from './check-ways.ts'
import { drive, type Load, timeInTurn } from './drive.ts'
import { openStage, type Scene, type Way } from './stage.ts'

/** A server runs for days: all sides are compared after the engine has compiled their code. */
const WARM_UP_ROUNDS = 8
/** Number of requests to another gateway, which is slow. */
const REQUESTS_OF_OTHERS = 300
const TIMED_REQUESTS = 400

export interface Comparison extends Scene {
  title: string
  note?: string
  atOnce: number
  perRound: number
  goals?: TextGoals
}

/** CPU per request by the client's dialect. */
type Micros = Readonly<Partial<Record<Way['client'], number>>>

export interface TextGoals {
  /** Cost of bare dispatch divided by ours, for replies that keep their dialect. */
  partOfDispatch?: number
  micros?: Micros
  convertedMicros?: Micros
  /** Factor by which the CPU is below Portkey's. */
  timesPortkey?: number
  /** Cost of a passed chat request, in percent of a passed messages request. */
  chatPercent?: number
}

interface WayFigures extends Omit<Load, 'writerMicrosPerRequest'> {
  way: Way
  /** The minimum of all rounds, which other programs on the machine disturbed least. */
  leastMicros: number
  /** Delay of one request at a time, minus the delay of the same request straight to the upstream. */
  addedP50Ms: number
  addedP99Ms: number
}

/** Compares all ways to one upstream: the cost of a request, the requests in a second, and the added delay. */
export async function compareWays(comparison: Comparison): Promise<Figures> {
  const stage = await openStage(comparison)
  try {
    await checkWays(stage.ways)
    const driven = stage.ways.filter(({ kind }) => kind !== 'direct')
    const amount = (way: Way) => {
      const isOther = way.kind === 'portkey' || way.kind === 'llms'
      const most = isOther ? Math.max(REQUESTS_OF_OTHERS, comparison.atOnce) : Infinity
      return amountOf(Math.min(comparison.perRound, most))
    }
    const warmUpRequests = WARM_UP_ROUNDS * amountOf(comparison.perRound)
    for (const way of driven) await drive(way, warmUpRequests, comparison.atOnce)
    const loads = await inTurn(driven, (way) => drive(way, amount(way), comparison.atOnce))
    const isTimed = stage.ways.length > driven.length
    const times = isTimed ? await timeInTurn(stage.ways, amountOf(TIMED_REQUESTS)) : new Map<Way, number[]>()
    const figures = driven.map((way): WayFigures => {
      const direct = stage.ways.find(({ kind, client }) => kind === 'direct' && client === way.client)
      const added = (part: number) =>
        quantile(times.get(way) ?? [], part) - quantile(times.get(direct ?? way) ?? [], part)
      return { way, ...summed(loads.get(way) ?? []), addedP50Ms: added(0.5), addedP99Ms: added(0.99) }
    })
    const { title, note, goals } = comparison
    return {
      ...{ title, plotted: 'CPU us/request', rows: rowsOf(figures, isTimed) },
      goals: goals === undefined ? [] : goalsOf(figures, goals, title),
      ...(note === undefined ? {} : { note }),
    }
  } finally {
    await stage.stop()
  }
}

function summed(loads: readonly Load[]): Omit<WayFigures, 'way' | 'addedP50Ms' | 'addedP99Ms'> {
  const costs = loads.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)
  return {
    cpuMicrosPerRequest: median(costs),
    leastMicros: Math.min(...costs),
    requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}

function rowsOf(figures: readonly WayFigures[], isTimed: boolean): Figures['rows'] {
  const rows = figures.map((figure) => {
    const row = {
      'CPU us/request': figure.cpuMicrosPerRequest,
      least: figure.leastMicros,
      'requests/s': figure.requestsPerSecond,
    }
    const timed = { 'added p50 ms': figure.addedP50Ms, 'added p99 ms': figure.addedP99Ms }
    // Portkey's clients speak chat, for which no direct way is timed.
    return [figure.way.name, isTimed && figure.way.client !== 'chat' ? { ...row, ...timed } : row] as const
  })
  return Object.fromEntries(rows)
}

function goalsOf(figures: readonly WayFigures[], goals: TextGoals, title: string): Goal[] {
  const microsOf = (kind: Way['kind'], client?: Way['client']) =>
    figures.find(
      ({ way }) => way.kind === kind && !way.isConverted && (client === undefined || way.client === client),
    )?.cpuMicrosPerRequest
  const portkey = microsOf('portkey')
  const messages = microsOf('sluice', 'messages')
  return figures
    .filter(({ way }) => way.kind === 'sluice')
    .flatMap(({ way, cpuMicrosPerRequest: micros }) => {
      const name = `${title}: ${way.name}`
      const found: Goal[] = []
      const microsMax = (way.isConverted ? goals.convertedMicros : goals.micros)?.[way.client]
      if (microsMax !== undefined) found.push(atMost(`${name}, CPU`, micros, microsMax, 'us'))
      if (way.isConverted) return found
      const dispatch = microsOf('dispatch', way.client)
      if (dispatch !== undefined && goals.partOfDispatch !== undefined)
        found.push(share(`${name}, of bare dispatch`, dispatch / micros, goals.partOfDispatch))
      if (portkey !== undefined && goals.timesPortkey !== undefined)
        found.push(atLeast(`${name}, less CPU than Portkey`, portkey / micros, goals.timesPortkey, 'times'))
      if (messages !== undefined && goals.chatPercent !== undefined && way.client === 'chat')
        found.push(atMost(name, (micros / messages) * 100, goals.chatPercent, '% of messages'))
      return found
    })
}
