import type { Sandbox } from '../../sandbox/server.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { answerMetricsRequests } from '../adapters/telemetry/cluster-metrics.ts'
import type { FlushableLog } from '../adapters/telemetry/log.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from './config.ts'
import { openLog } from './log.ts'

/** The primary of several workers serves nothing itself: it supervises them and adds up their metrics. */
export function composePrimary(config: Config): { clock: Clock; log: FlushableLog } {
  answerMetricsRequests()
  return { clock: systemClock, log: openLog(config) }
}

/** Starts the sandbox vendors, where `decideSandbox` says that they run. */
export async function composeSandbox(config: Config): Promise<Sandbox> {
  const { startSandbox } = await import('../../sandbox/server.ts')
  const log = openLog(config)
  return startSandbox({ ...config.sandbox, nowMs: systemClock.nowMs, log })
}
