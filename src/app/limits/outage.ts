import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'

/** Reports the beginning and end of an outage of the cache, during which this process enforces a shared limit alone. */
export function watchOutage(tools: {
  limit: 'rate' | 'day'
  log: Log
  metrics: Pick<Metrics, 'limitKeptLocally'>
}) {
  const { limit, log, metrics } = tools
  let isOn = false
  return {
    /** Counts every call in the metrics; logs only the first one of an outage. */
    began(error: unknown) {
      metrics.limitKeptLocally(limit)
      if (!isOn) log.warn('limits.local', { reason: limit, error })
      isOn = true
    },
    /** Returns true when an outage ends now. */
    ended() {
      if (!isOn) return false
      isOn = false
      log.info('limits.shared', { reason: limit })
      return true
    },
  }
}
