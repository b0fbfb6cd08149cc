import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { atMost, type Figures } from './figures.ts'
import { startPeer } from './peers/start-peer.ts'
import { amountOf, IS_QUICK, inTurn, median } from './rounds.ts'
import { drive, timeInTurn } from './text/drive.ts'
import { requestIn } from './text/requests.ts'
import type { Way } from './text/stage.ts'
import { startSluice, type TextGateway } from './text/start-sluice.ts'

const WARM_UP_REQUESTS = amountOf(6_000)
const TIMED_REQUESTS = amountOf(2_000)
const REQUESTS_PER_ROUND = amountOf(3_000)
const GOAL_MONEY_MS = 0.1
const GOAL_ROLLUPS_PERCENT = 3
const GOAL_LOG_PERCENT = 2
/** The code of one tree costs up to 10 % more or less from one start to the next. */
const LOG_STARTS = IS_QUICK ? 1 : 6

/** Compares a gateway with one without money and limits. */
export async function textOverhead(): Promise<Figures[]> {
  const { withMs, withoutMs, withCpu, withoutCpu } = await compareInTurn('without-money.ts')
  return [
    {
      title: 'What money and limits add to a text request',
      note: 'CPU includes the thread that writes usage.',
      rows: {
        with: { 'CPU us/request': withCpu, 'p50 ms': withMs },
        without: { 'CPU us/request': withoutCpu, 'p50 ms': withoutMs },
      },
      goals: [atMost('Money and limits, added to the p50', withMs - withoutMs, GOAL_MONEY_MS, 'ms')],
    },
  ]
}

/** Compares a gateway with one without the sums of usage by hour and by day. */
export async function usageRollups(): Promise<Figures[]> {
  const { withCpu, withoutCpu } = await compareInTurn('without-rollups.ts')
  const addedPercent = (withCpu / withoutCpu - 1) * 100
  return [
    {
      title: 'What sums of usage by hour and day add to a text request',
      rows: {
        with: { 'CPU us/request': withCpu },
        without: { 'CPU us/request': withoutCpu },
      },
      goals: [atMost('Sums of usage, added CPU', addedPercent, GOAL_ROLLUPS_PERCENT, '%')],
    },
  ]
}

/** Compares the least cost of a gateway over several starts with that of a gateway without the request log. */
export async function requestLogCpu(): Promise<Figures[]> {
  const starts: Awaited<ReturnType<typeof compareInTurn>>[] = []
  while (starts.length < LOG_STARTS) starts.push(await compareInTurn('without-request-log.ts'))
  const rowOf = (medians: number[], least: number[]) => ({
    'least CPU us/request': Math.min(...least),
    'median of starts': median(medians),
  })
  const rows = {
    with: rowOf(
      starts.map(({ withCpu }) => withCpu),
      starts.map(({ withLeast }) => withLeast),
    ),
    without: rowOf(
      starts.map(({ withoutCpu }) => withoutCpu),
      starts.map(({ withoutLeast }) => withoutLeast),
    ),
  }
  const added = (rows.with['least CPU us/request'] / rows.without['least CPU us/request'] - 1) * 100
  return [
    {
      title: 'What the request log adds to a text request',
      note: `${LOG_STARTS} starts of each. The benchmark request-log has the cost of the spans, which are closed a minute later.`,
      rows,
      goals: [atMost('Request log, added CPU', added, GOAL_LOG_PERCENT, '%')],
    },
  ]
}

/** Sends the requests to both gateways in turn, so that they share the other load of the machine. */
async function compareInTurn(hook: string) {
  await using started = new AsyncDisposableStack()
  const upstream = started.adopt(await startPeer('text-upstream.ts', {}), (peer) => peer.stop())
  const start = async (file: string) => {
    const added = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'text', file))}` }
    return started.adopt(await startSluice(upstream.url, added), (gateway) => gateway.stop())
  }
  const whole = await start('from-sources.ts')
  const reduced = await start(hook)
  const ways = [wayTo(whole, 'with'), wayTo(reduced, 'without')]
  for (const way of ways) await drive(way, WARM_UP_REQUESTS)
  const times = await timeInTurn(ways, TIMED_REQUESTS)
  const costs = await inTurn(ways, async (way) => (await drive(way, REQUESTS_PER_ROUND)).cpuMicrosPerRequest)
  const [withMs = NaN, withoutMs = NaN] = ways.map((way) => median(times.get(way) ?? []))
  const [withCpu = NaN, withoutCpu = NaN] = ways.map((way) => median(costs.get(way) ?? []))
  const [withLeast = NaN, withoutLeast = NaN] = ways.map((way) => Math.min(...(costs.get(way) ?? [])))
  return { withMs, withoutMs, withCpu, withoutCpu, withLeast, withoutLeast }
}

function wayTo(gateway: TextGateway, name: string): Way {
  return {
    ...{ name, kind: 'sluice', client: 'messages', isConverted: false, url: gateway.url, pid: gateway.pid },
    headers: {
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      authorization: `Bearer ${gateway.key}`,
    },
    request: requestIn('messages', { model: 'vendorC/messages', stream: false }),
  }
}
