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
const WRITER_STARTS = IS_QUICK ? 1 : 5

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
  return compareWriters('without-rollups.ts', {
    title: 'What sums of usage by hour and day add to a text request',
    work: 'Sums of usage, added CPU',
    goalPercent: GOAL_ROLLUPS_PERCENT,
  })
}

/** Compares a gateway with one without the request log. */
export async function requestLogCpu(): Promise<Figures[]> {
  return compareWriters('without-request-log.ts', {
    title: 'What the request log adds to a text request',
    note: 'The benchmark request-log has the cost of the spans, which are closed a minute later.',
    work: 'Request log, added CPU',
    goalPercent: GOAL_LOG_PERCENT,
  })
}

/** Compares the writer thread of both gateways, because the part that the hook removes runs there. */
async function compareWriters(
  hook: string,
  about: { title: string; note?: string; work: string; goalPercent: number },
): Promise<Figures[]> {
  const starts: Awaited<ReturnType<typeof compareInTurn>>[] = []
  while (starts.length < WRITER_STARTS) starts.push(await compareInTurn(hook))
  const rowOf = (cpu: number[], writer: number[]) => ({
    'CPU us/request': median(cpu),
    "of it the writer's thread": median(writer),
    'its least': Math.min(...writer),
    'its most': Math.max(...writer),
  })
  const whole = rowOf(
    starts.map(({ withCpu }) => withCpu),
    starts.map(({ withWriter }) => withWriter),
  )
  const reduced = rowOf(
    starts.map(({ withoutCpu }) => withoutCpu),
    starts.map(({ withoutWriter }) => withoutWriter),
  )
  const added = whole["of it the writer's thread"] - reduced["of it the writer's thread"]
  const percent = (added / reduced['CPU us/request']) * 100
  const starting = `Medians of ${WRITER_STARTS} starts of each. The goal counts the writer's thread alone: the rest is the same code and costs up to 10 % more or less from one start to the next.`
  return [
    {
      ...{ title: about.title, note: about.note === undefined ? starting : `${starting} ${about.note}` },
      rows: { with: whole, without: reduced },
      goals: [atMost(about.work, percent, about.goalPercent, '%')],
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
  const loads = await inTurn(ways, (way) => drive(way, REQUESTS_PER_ROUND))
  const [withMs = NaN, withoutMs = NaN] = ways.map((way) => median(times.get(way) ?? []))
  const medianOf = (part: 'cpuMicrosPerRequest' | 'writerMicrosPerRequest') =>
    ways.map((way) => median((loads.get(way) ?? []).map((load) => load[part])))
  const [withCpu = NaN, withoutCpu = NaN] = medianOf('cpuMicrosPerRequest')
  const [withWriter = NaN, withoutWriter = NaN] = medianOf('writerMicrosPerRequest')
  return { withMs, withoutMs, withCpu, withoutCpu, withWriter, withoutWriter }
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
