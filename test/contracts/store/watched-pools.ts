import type { Metrics, PoolState } from '../../../src/ports/metrics.ts'

/** Metrics that only remember the pools they were shown. */
export function watchedPools(): Metrics & { pools: Map<string, () => PoolState> } {
  const pools = new Map<string, () => PoolState>()
  return {
    pools,
    requestFinished() {},
    requestShed() {},
    upstreamCallFinished() {},
    breakerMoved() {},
    watchPool: (name, read) => {
      pools.set(name, read)
    },
    render: async () => ({ contentType: 'text/plain', body: '' }),
  }
}
