import type { Metrics, PoolState } from '../../../src/ports/metrics.ts'
import { silentMetrics } from '../../silent-metrics.ts'

/** Metrics that only remember the pools they were shown. */
export function watchedPools(): Metrics & { pools: Map<string, () => PoolState> } {
  const pools = new Map<string, () => PoolState>()
  return { ...silentMetrics({ watchPool: (name, read) => void pools.set(name, read) }), pools }
}
