import { NetworkError } from './network-error.ts'

/** Frees the slot; a second call does nothing. */
export type Release = () => void

/** Limits the running calls, the calls that wait for a slot, and the time of their wait. */
export interface FairSemaphore {
  readonly running: number
  readonly waiting: number
  /** Number of holders that have a slot or wait for one. */
  readonly holders: number
  /** Number of waiting calls of other holders. */
  waitingBeside(holder: string): number
  /** Tells whether the holder has more slots than an equal division among all holders gives it. */
  isAboveShare(holder: string): boolean
  /** Tells whether one more slot would put the holder above its equal share. */
  isAtShare(holder: string): boolean
  /** Takes a slot if one is free now and the holder's limits and the reserve allow it. */
  takeNow(holder?: string): Release | undefined
  /** Waits for a slot; the holder with the fewest slots is served first. Rejects with `busy` or `aborted`. */
  take(signal: AbortSignal | undefined, holder?: string): Promise<Release>
}

export interface FairSemaphoreOptions {
  limit: number
  queueLimit: number
  queueWaitMs: number
  /** Limits of one holder for slots and queue; default: the limits for all. */
  limitEach?: number
  queueLimitEach?: number
  /** Slots and queue entries that are reserved for holders without any; default 0. */
  reserved?: number
  queueReserved?: number
  /** Limit of one holder while another waits; default `limitEach`. */
  limitEachWhileOthersWait?: number
  /** Returns the time that a holder has used, which decides between holders with equally many slots. Default: 0. */
  usedBy?: ((holder: string) => number) | undefined
}

export function createFairSemaphore(input: FairSemaphoreOptions): FairSemaphore {
  const { limit, queueLimit, queueWaitMs, limitEach = limit, queueLimitEach = queueLimit } = input
  const { reserved = 0, queueReserved = 0, limitEachWhileOthersWait = limitEach, usedBy = () => 0 } = input
  let running = 0
  let waiting = 0
  let nextNumber = 0
  const shares = new Map<string, HolderSlots>()

  function shareOf(holder: string): HolderSlots {
    const known = shares.get(holder)
    if (known !== undefined) return known
    const share = { holder, running: 0, queue: new Set<Waiter>() }
    shares.set(holder, share)
    return share
  }

  function forgetIfIdle({ holder, running, queue }: HolderSlots): void {
    if (running + queue.size === 0) shares.delete(holder)
  }

  function mayEnter({ running: own, queue }: HolderSlots): boolean {
    if (own > 0 && running >= limit - reserved) return false
    const othersWait = waiting > queue.size
    return own < (othersWait ? Math.min(limitEach, limitEachWhileOthersWait) : limitEach)
  }

  function mayWait({ size }: { size: number } = NONE): boolean {
    return size < queueLimitEach && waiting < queueLimit - (size > 0 ? queueReserved : 0)
  }

  function enter(share: HolderSlots): Release {
    let isTaken = true
    running += 1
    share.running += 1
    return () => {
      if (!isTaken) return
      isTaken = false
      running -= 1
      share.running -= 1
      if (waiting > 0) letNextIn()
      forgetIfIdle(share)
    }
  }

  function isBefore(share: HolderSlots, other: HolderSlots | undefined): boolean {
    if (other === undefined) return true
    const usedMore = share.running - other.running || usedBy(share.holder) - usedBy(other.holder)
    return (usedMore || (firstOf(share)?.number ?? 0) - (firstOf(other)?.number ?? 0)) < 0
  }

  /** Gives one free slot to the oldest call of the holder with the fewest slots. */
  function letNextIn(): void {
    let next: HolderSlots | undefined
    for (const share of shares.values()) {
      if (share.queue.size > 0 && mayEnter(share) && isBefore(share, next)) next = share
    }
    firstOf(next)?.enter()
  }

  function takeNow(holder = ''): Release | undefined {
    if (running >= limit) return undefined
    const share = shareOf(holder)
    if (mayEnter(share)) return enter(share)
    forgetIfIdle(share)
    return undefined
  }

  return {
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
    get holders() {
      return shares.size
    },
    waitingBeside: (holder) => waiting - (shares.get(holder)?.queue.size ?? 0),
    isAboveShare: (holder) => (shares.get(holder)?.running ?? 0) * shares.size > limit,
    isAtShare: (holder) => ((shares.get(holder)?.running ?? 0) + 1) * shares.size > limit,
    takeNow,
    take(signal, holder = '') {
      if (signal?.aborted) return Promise.reject(failure('aborted'))
      const free = takeNow(holder)
      if (free !== undefined) return Promise.resolve(free)
      if (!mayWait(shares.get(holder)?.queue)) return Promise.reject(failure('busy'))

      const { promise, resolve, reject } = Promise.withResolvers<Release>()
      const share = shareOf(holder)
      const leaveQueue = () => {
        share.queue.delete(waiter)
        waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const giveUp = (kind: 'busy' | 'aborted') => {
        leaveQueue()
        forgetIfIdle(share)
        reject(failure(kind))
      }
      const waiter = {
        number: nextNumber,
        enter() {
          leaveQueue()
          resolve(enter(share))
        },
      }
      nextNumber += 1
      const onAbort = () => giveUp('aborted')
      const timer = setTimeout(() => giveUp('busy'), queueWaitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      share.queue.add(waiter)
      waiting += 1
      return promise
    },
  }
}

const NONE = { size: 0 }

interface HolderSlots {
  holder: string
  running: number
  /** A Set keeps the order of arrival, and removes a waiter without a search. */
  queue: Set<Waiter>
}

interface Waiter {
  /** Order of arrival over all holders. */
  number: number
  enter(): void
}

function firstOf(share: HolderSlots | undefined): Waiter | undefined {
  return share?.queue.values().next().value
}

function failure(kind: 'busy' | 'aborted'): NetworkError {
  return new NetworkError(kind, { taken: 'no', reason: 'no slot was free' })
}
