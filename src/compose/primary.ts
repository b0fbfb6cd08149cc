import type { Sandbox } from '../../sandbox/server.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { answerMetricsRequests } from '../adapters/telemetry/cluster-metrics.ts'
import type { FlushableLog } from '../adapters/telemetry/log.ts'
import { MissingStore } from '../domain/missing-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from './config.ts'
import { openStore, requireStore } from './engines.ts'
import { openLog } from './log.ts'
import { diagnosisTools } from './tools.ts'

/** Composes the primary of several workers, which supervises them and adds up their metrics. */
export function composePrimary(config: Config): { clock: Clock; log: FlushableLog } {
  answerMetricsRequests()
  return { clock: systemClock, log: openLog(config) }
}

/** Tells whether the store has providers, so that `sluice.yaml` needs none. */
export async function hasStoredProviders(config: Config): Promise<boolean> {
  const tools = diagnosisTools(config)
  try {
    await requireStore(config)
    // A store of an older version has to be migrated, as the server does at its start.
    const store = await openStore(config, tools, 'beside').catch((error: unknown) => {
      if (error instanceof MissingStore) throw error
      return openStore(config, tools, 'server')
    })
    const providers = await store.providers.list().finally(() => store.close())
    return providers.length > 0
  } catch (error) {
    if (error instanceof MissingStore) return false
    throw error
  }
}

export async function composeSandbox(config: Config): Promise<Sandbox> {
  const { startSandbox } = await import('../../sandbox/server.ts')
  const log = openLog(config)
  const start = (port: number) => startSandbox({ ...config.sandbox, port, nowMs: systemClock.nowMs, log })
  const isFree = config.sandbox.port === 0 && config.http.port !== 0
  return isFree ? start(config.http.port + 1).catch(() => start(0)) : start(config.sandbox.port)
}
