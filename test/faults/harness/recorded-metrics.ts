import type { Metrics, PoolState } from '../../../src/ports/metrics.ts'

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
    upstreamCalls,
    breakerStates,
    pools,
    requestFinished() {},
    requestShed() {},
    upstreamCallFinished: (call) => upstreamCalls.push(call),
    breakerMoved: ({ state }) => breakerStates.push(state),
    watchPool: (name, read) => pools.set(name, read),
    render: async () => ({ contentType: 'text/plain', body: '' }),
  }
}
