import { OutboundFailure } from './failure.ts'

/** Gives the place back; calling it twice gives it back once. */
export type Leave = () => void

/** A bound on how much runs at once, and on how many wait for it and how long. */
export interface Places {
  readonly running: number
  readonly waiting: number
  /** A place when one is free this instant. */
  takeNow(): Leave | undefined
  /** A place in order of arrival; rejects with `busy` or `aborted`. */
  take(signal: AbortSignal | undefined): Promise<Leave>
}

export function createPlaces({
  limit,
  queueLimit,
  queueWaitMs,
}: {
  limit: number
  queueLimit: number
  queueWaitMs: number
}): Places {
  let running = 0
  // A set keeps the order of arrival and lets one who leaves the queue go without a search.
  const queue = new Set<() => void>()

  function place(): Leave {
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const [first] = queue
      if (first === undefined) running -= 1
      else first()
    }
  }

  function takeNow(): Leave | undefined {
    if (running >= limit) return undefined
    running += 1
    return place()
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
    takeNow,
    take(signal) {
      if (signal?.aborted) return Promise.reject(failure('aborted'))
      const free = takeNow()
      if (free !== undefined) return Promise.resolve(free)
      if (queue.size >= queueLimit) return Promise.reject(failure('busy'))

      const { promise, resolve, reject } = Promise.withResolvers<Leave>()
      const leaveQueue = () => {
        queue.delete(enter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const enter = () => {
        leaveQueue()
        resolve(place())
      }
      const onAbort = () => {
        leaveQueue()
        reject(failure('aborted'))
      }
      const timer = setTimeout(() => {
        leaveQueue()
        reject(failure('busy'))
      }, queueWaitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.add(enter)
      return promise
    },
  }
}

function failure(kind: 'busy' | 'aborted'): OutboundFailure {
  return new OutboundFailure(kind, { taken: 'no', reason: 'no place was free' })
}
