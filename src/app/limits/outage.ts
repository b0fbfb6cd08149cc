import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'

/** Tells when a limit that replicas share is kept by this process alone, and when that is over. */
export interface Outage {
  /** Counts every time; a line in the log only for the first. */
  began(error: unknown): void
  /** True when there was one and it ends now. */
  ended(): boolean
}

export function watchOutage({
  limit,
  log,
  metrics,
}: {
  limit: 'rate' | 'day'
  log: Log
  metrics: Pick<Metrics, 'limitKeptLocally'>
}): Outage {
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
