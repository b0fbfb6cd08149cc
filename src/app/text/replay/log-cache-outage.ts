import type { Log } from '../../../ports/log.ts'
import type { LogEvent } from '../../../ports/log-events.ts'

/** Logs an outage of the cache once, when it begins, and not for each request that has to do without it. */
export interface CacheOutageLog {
  /** What `ask` gives; undefined while the cache is unreachable. */
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
