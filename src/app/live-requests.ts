import type { FinishedRequest } from '../ports/log.ts'

/** Of one process: each costs it some work for every request. */
const LISTENERS_MAX = 16

/** Requests of this process as they end, for operators who watch. */
export interface LiveRequests {
  /** Costs nothing while no operator listens. */
  tell(finished: FinishedRequest): void
  /** The function that ends it; undefined while too many listen already. */
  listen(listener: (finished: FinishedRequest) => void): (() => void) | undefined
}

export function createLiveRequests(): LiveRequests {
  const listeners = new Set<(finished: FinishedRequest) => void>()
  return {
    tell(finished) {
      if (listeners.size > 0) for (const listener of listeners) listener(finished)
    },
    listen(listener) {
      if (listeners.size >= LISTENERS_MAX) return undefined
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
