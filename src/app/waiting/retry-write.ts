import { ApiError } from '../../domain/api-error.ts'
import type { LogFields } from '../../ports/log.ts'
import { closeInTime, withDeadline } from '../jobs/deadline.ts'
import type { Runtime } from '../runtime.ts'

/** Maximum wait of a client for an unreachable store. */
const PATIENCE_MS = 3_000

/** Maximum writes in the background: one more is given up. */
const BEHIND_MAX = 1_000

const PAUSE_MS_MIN = 50
const PAUSE_MS_MAX = 1_000

/**
 * Retries the write of an answer that a vendor gives only once, so that it is not lost while the store is unreachable for a
 * moment. The caller waits for a few seconds and then gets `store_unavailable`; the write is retried in the background.
 */
export interface WriteRetries {
  /** `attempt` may run again after it was carried out, because its answer may have been lost. */
  retryUntilStored<T>(attempt: () => Promise<T>, about: About): Promise<T>
  /** Retries each waiting write once, without a pause. Resolves when these retries have ended, or after a second. */
  close(): Promise<void>
}

/** Fields for the log, and the time for which the write is retried. */
type About = Pick<LogFields, 'taskId' | 'organizationId'> & { forMs: number }

export function createWriteRetries(tools: Pick<Runtime, 'clock' | 'log' | 'pause'>): WriteRetries {
  const { clock, pause, log } = tools
  let behind = 0
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  return {
    async retryUntilStored(attempt, { forMs, ...fields }) {
      const untilMs = clock.monotonicMs() + forMs
      const effort = { isGivenUp: false }
      const outcome = tryUntil(attempt, () => effort.isGivenUp || clock.monotonicMs() >= untilMs)
      running.add(outcome)
      outcome.catch(() => {}).finally(() => running.delete(outcome))
      const first = await withDeadline(outcome, { ms: PATIENCE_MS })
      if (first !== undefined) return first.value
      if (behind >= BEHIND_MAX) effort.isGivenUp = true
      behind += 1
      outcome
        .catch((error: unknown) => log.error('store.write_given_up', { ...fields, error }))
        .finally(() => {
          behind -= 1
        })
      throw new ApiError('store_unavailable')
    },
    async close() {
      closing.abort()
      await closeInTime([Promise.allSettled(running)])
    },
  }

  async function tryUntil<T>(attempt: () => Promise<T>, isOver: () => boolean): Promise<T> {
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      const isLast = closing.signal.aborted
      try {
        return await attempt()
      } catch (error) {
        if (!isStoreUnreachable(error) || isLast || isOver()) throw error
      }
      await withDeadline(pause(pauseMs), { signal: closing.signal })
    }
  }
}

/** Any other failure would happen again. */
function isStoreUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'store_unavailable'
}
