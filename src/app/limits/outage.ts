import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'

/** Reports the beginning and end of an outage of the cache, during which this process enforces a shared limit alone. */
export interface Outage {
  /** Counts every call; logs only the first one. */
  began(error: unknown): void
  /** Returns true when an outage ends now. */
  ended(): boolean
}

export function watchOutage(tools: {
  limit: 'rate' | 'day'
  log: Log
  metrics: Pick<Metrics, 'limitKeptLocally'>
}): Outage {
  const { limit, log, metrics } = tools
  let isOn = false
  return {
    began(error) {
      metrics.limitKeptLocally(limit)
      if (!isOn) log.warn('limits.local', { reason: limit, error })
      isOn = true
    },
    ended() {
      if (!isOn) return false
      isOn = false
      log.info('limits.shared', { reason: limit })
      return true
    },
  }
}
