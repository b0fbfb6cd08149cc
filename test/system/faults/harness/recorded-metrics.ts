import type { Metrics, PoolState } from '../../../../src/ports/metrics.ts'
import { silentMetrics } from '../../../silent-metrics.ts'

export interface RecordedMetrics extends Metrics {
  readonly upstreamCalls: { provider: string; operation: string; outcome: string; seconds: number }[]
  readonly breakerStates: string[]
  readonly pools: Map<string, () => PoolState>
}

/** Metrics that a test can read back. */
export function recordMetrics(): RecordedMetrics {
  const upstreamCalls: RecordedMetrics['upstreamCalls'] = []
  const breakerStates: string[] = []
  const pools = new Map<string, () => PoolState>()
  return {
    ...silentMetrics({
      upstreamCallFinished: (call) => void upstreamCalls.push(call),
      breakerMoved: ({ state }) => void breakerStates.push(state),
      watchPool: (name, read) => void pools.set(name, read),
    }),
    upstreamCalls,
    breakerStates,
    pools,
  }
}
