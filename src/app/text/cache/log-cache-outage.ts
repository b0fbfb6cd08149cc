import type { Log } from '../../../ports/log.ts'
import type { LogEvent } from '../../../ports/log-events.ts'

/** Logs an outage of the cache when it begins, and not for each request during the outage. */
export interface CacheOutageLog {
  /** Returns the result of `ask`; undefined while the cache is unreachable. */
  attempt<T>(ask: () => Promise<T>): Promise<{ value: T } | undefined>
}

export function logCacheOutageOnce(log: Log, { event }: { event: LogEvent }): CacheOutageLog {
  let isUnreachable = false
  return {
    async attempt(ask) {
      try {
        const value = await ask()
        isUnreachable = false
        return { value }
      } catch (error) {
        if (!isUnreachable) log.warn(event, { error })
        isUnreachable = true
        return undefined
      }
    },
  }
}
