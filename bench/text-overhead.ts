import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median } from './median.ts'
import { startPeer } from './peers/start-peer.ts'
import { drive, timeInTurn } from './text/drive.ts'
import { GOAL_MONEY_MS, verdict } from './text/goals.ts'
import { requestIn } from './text/requests.ts'
import type { Way } from './text/stage.ts'
import { startSluice, type TextGateway } from './text/start-sluice.ts'

const WARM_UP_REQUESTS = 8_000
const TIMED_REQUESTS = 2_000
const ROUNDS = 11
/** Long enough that the hundredths of a second in which Linux counts do not matter. */
const REQUESTS_PER_ROUND = 6_000
const GOAL_ROLLUPS_SHARE = 0.03

/** The same gateway twice, once with its money and limits taken out. */
export async function textOverhead(): Promise<void> {
  const { withMs, withoutMs, withCpu, withoutCpu } = await compareInTurn('without-money.ts')
  const addedMs = withMs - withoutMs
  console.log(`p50 ${withMs.toFixed(3)} ms with money and limits, ${withoutMs.toFixed(3)} ms without`)
  console.log(
    `CPU ${withCpu.toFixed(0)} us with, ${withoutCpu.toFixed(0)} us without, writer thread included`,
  )
  console.log(
    `${addedMs.toFixed(3)} ms added to the p50 (goal under ${GOAL_MONEY_MS} ms: ${verdict(addedMs < GOAL_MONEY_MS)})`,
  )
}

/** The same gateway twice, once without the sums of usage by hour and by day. */
export async function usageRollups(): Promise<void> {
  const { withCpu, withoutCpu } = await compareInTurn('without-rollups.ts')
  const share = withCpu / withoutCpu - 1
  console.log(
    `CPU ${withCpu.toFixed(1)} us with sums of usage, ${withoutCpu.toFixed(1)} us without, writer thread included: ` +
      `${(share * 100).toFixed(1)} % more (goal at most ${GOAL_ROLLUPS_SHARE * 100} %: ${verdict(share <= GOAL_ROLLUPS_SHARE)})`,
  )
}

/** The same requests to both gateways in turn, so that they share whatever else the machine does. */
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
  const costs = new Map<Way, number[]>(ways.map((way) => [way, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) costs.get(way)?.push((await drive(way, REQUESTS_PER_ROUND)).cpuMicrosPerRequest)
  }
  const [withMs = NaN, withoutMs = NaN] = ways.map((way) => median(times.get(way) ?? []))
  const [withCpu = NaN, withoutCpu = NaN] = ways.map((way) => median(costs.get(way) ?? []))
  return { withMs, withoutMs, withCpu, withoutCpu }
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
