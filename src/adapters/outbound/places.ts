import { OutboundFailure } from './failure.ts'

/** Gives the place back; calling it twice gives it back once. */
export type Leave = () => void

/** A bound on how much runs at once, and on how many wait for it and how long. */
export interface Places {
  readonly running: number
  readonly waiting: number
  /** How many holders are remembered: only those who have a place or wait for one. */
  readonly holders: number
  /** A place when one is free this instant. */
  takeNow(holder?: string): Leave | undefined
  /** A place in order of arrival, as far as the holder has not its share already; rejects with `busy` or `aborted`. */
  take(signal: AbortSignal | undefined, holder?: string): Promise<Leave>
}

export interface PlacesOptions {
  limit: number
  queueLimit: number
  queueWaitMs: number
  /** The most that one holder may have, of the places and of the queue; all of them unless said. */
  limitEach?: number
  queueLimitEach?: number
}

export function createPlaces({
  limit,
  queueLimit,
  queueWaitMs,
  limitEach = limit,
  queueLimitEach = queueLimit,
}: PlacesOptions): Places {
  let running = 0
  const shares = new Map<string, Share>()
  // A set keeps the order of arrival and lets one who leaves the queue go without a search.
  const queue = new Set<Waiter>()

  function shareOf(holder: string): Share {
    const known = shares.get(holder)
    if (known !== undefined) return known
    const share = { holder, running: 0, waiting: 0 }
    shares.set(holder, share)
    return share
  }

  function forgetIfIdle({ holder, running, waiting }: Share): void {
    if (running + waiting === 0) shares.delete(holder)
  }

  function enter(share: Share): Leave {
    let isTaken = true
    running += 1
    share.running += 1
    return () => {
      if (!isTaken) return
      isTaken = false
      running -= 1
      share.running -= 1
      letNextIn()
      forgetIfIdle(share)
    }
  }

  /** One place came free, so at most one can enter: the first whose holder has not its share already. */
  function letNextIn(): void {
    for (const waiter of queue) {
      if (waiter.share.running >= limitEach) continue
      waiter.enter()
      return
    }
  }

  function takeNow(holder = ''): Leave | undefined {
    if (running >= limit || (shares.get(holder)?.running ?? 0) >= limitEach) return undefined
    return enter(shareOf(holder))
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
    get holders() {
      return shares.size
    },
    takeNow,
    take(signal, holder = '') {
      if (signal?.aborted) return Promise.reject(failure('aborted'))
      const free = takeNow(holder)
      if (free !== undefined) return Promise.resolve(free)
      if (queue.size >= queueLimit || (shares.get(holder)?.waiting ?? 0) >= queueLimitEach) {
        return Promise.reject(failure('busy'))
      }

      const { promise, resolve, reject } = Promise.withResolvers<Leave>()
      const share = shareOf(holder)
      const leaveQueue = () => {
        queue.delete(waiter)
        share.waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const giveUp = (kind: 'busy' | 'aborted') => {
        leaveQueue()
        forgetIfIdle(share)
        reject(failure(kind))
      }
      const waiter = {
        share,
        enter() {
          leaveQueue()
          resolve(enter(share))
        },
      }
      const onAbort = () => giveUp('aborted')
      const timer = setTimeout(() => giveUp('busy'), queueWaitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.add(waiter)
      share.waiting += 1
      return promise
    },
  }
}

interface Share {
  holder: string
  running: number
  waiting: number
}

interface Waiter {
  share: Share
  enter(): void
}

function failure(kind: 'busy' | 'aborted'): OutboundFailure {
  return new OutboundFailure(kind, { taken: 'no', reason: 'no place was free' })
}
