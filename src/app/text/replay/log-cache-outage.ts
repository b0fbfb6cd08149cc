import type { Log } from '../../../ports/log.ts'
import type { LogEvent } from '../../../ports/log-events.ts'

/** Notes when the cache is away: a line when it goes and none for each request that has to do without it. */
export interface CacheOutageLog {
  /** What `ask` gives; undefined while the cache is away. */
  attempt<T>(ask: () => Promise<T>): Promise<{ value: T } | undefined>
}

export function logCacheOutageOnce(log: Log, { event }: { event: LogEvent }): CacheOutageLog {
  let isAway = false
  return {
    async attempt(ask) {
      try {
        const value = await ask()
        isAway = false
        return { value }
      } catch (error) {
        if (!isAway) log.warn(event, { error })
        isAway = true
        return undefined
      }
    },
  }
}
