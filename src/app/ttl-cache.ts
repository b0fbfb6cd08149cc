import type { Clock } from '../ports/clock.ts'

export interface TtlCache<T> {
  /** `read` is asked only when there is no answer that will do. */
  get(key: string, read: () => Promise<T>): T | Promise<T>
  /** True when there is an answer other than "nothing there", however old. */
  holds(key: string): boolean
  /** The next `get` reads again, and the result of a running read is not kept. */
  forget(key: string): void
  /** The same for all of these; it looks at every answer there is. */
  forgetWhere(matches: (value: T) => boolean): void
}

interface TtlCacheOptions {
  clock: Clock
  /** Younger than this: given as it is. Older: given as it is, and read again in the background. */
  freshMs: number
  /** Older than this: the caller waits for a new reading. */
  trustMs: number
  /** When that reading fails, an answer up to this old is better than none. */
  graceMs: number
  /** Above this number, entries that were not used lately are dropped first. */
  maxEntries: number
}

const SPARED_MS = 1_000
/** "Nothing there" is kept apart: whatever is asked for that is not there, it pushes out no answer. */
const MISSES_MAX = 1_000

interface Answer<T> {
  value: T
  readAtMs: number
  /** No caller waits for another read until then: an unreachable store often takes long to fail. */
  retryAfterMs: number
  /** Since the last sweep. A flag is all that a hot `get` writes: moving the entry would cost more than the rest. */
  usedSinceSweep: boolean
}

/**
 * Keeps what the store said, so that a hot request makes no query. "Nothing there" is kept for `freshMs` only:
 * what was just created must be found soon.
 */
export function createTtlCache<T>(options: TtlCacheOptions): TtlCache<T> {
  const { clock, freshMs, trustMs, graceMs } = options
  const answers = new Map<string, Answer<T>>()
  const readings = new Map<string, Promise<T>>()
  /** Names of what was not there, and when that was read. */
  const misses = new Map<string, number>()

  return {
    get(key, read) {
      const answer = answers.get(key)
      if (answer === undefined) return recallMiss(key, read)
      const nowMs = clock.monotonicMs()
      const ageMs = nowMs - answer.readAtMs
      if (ageMs < freshMs || (nowMs < answer.retryAfterMs && ageMs < graceMs)) return give(answer)
      if (ageMs < trustMs) {
        readOnce(key, read).catch(() => {})
        return give(answer)
      }
      return readOnce(key, read).catch((error: unknown) => {
        // An answer that was forgotten meanwhile must not come back.
        if (answers.get(key) !== answer || ageMs >= graceMs) throw error
        answer.retryAfterMs = clock.monotonicMs() + SPARED_MS
        return answer.value
      })
    },
    holds: (key) => answers.has(key),
    forget(key) {
      readings.delete(key)
      answers.delete(key)
      misses.delete(key)
    },
    forgetWhere(matches) {
      readings.clear()
      misses.clear()
      for (const [key, { value }] of answers) if (matches(value)) answers.delete(key)
    },
  }

  function recallMiss(key: string, read: () => Promise<T>): T | Promise<T> {
    const readAtMs = misses.get(key)
    const isFresh = readAtMs !== undefined && clock.monotonicMs() - readAtMs < freshMs
    return isFresh ? (undefined as T) : readOnce(key, read)
  }

  function give(answer: Answer<T>): T {
    answer.usedSinceSweep = true
    return answer.value
  }

  function readOnce(key: string, read: () => Promise<T>): Promise<T> {
    const running = readings.get(key)
    if (running !== undefined) return running
    const reading = readAndKeep(key, read, () => readings.get(key) === reading)
    readings.set(key, reading)
    return reading
  }

  async function readAndKeep(key: string, read: () => Promise<T>, stillWanted: () => boolean): Promise<T> {
    const readAtMs = clock.monotonicMs()
    try {
      const value = await read()
      if (stillWanted()) keep(key, { value, readAtMs, retryAfterMs: 0, usedSinceSweep: false })
      return value
    } finally {
      if (stillWanted()) readings.delete(key)
    }
  }

  function keep(key: string, answer: Answer<T>): void {
    answers.delete(key)
    misses.delete(key)
    if (answer.value === undefined) keepMiss(key, answer.readAtMs)
    else answers.set(key, answer)
    if (answers.size > options.maxEntries) makeRoom()
  }

  function keepMiss(key: string, readAtMs: number): void {
    misses.set(key, readAtMs)
    const [oldest] = misses.keys()
    if (misses.size > MISSES_MAX && oldest !== undefined) misses.delete(oldest)
  }

  /** Oldest first; an entry that was used since the last sweep is kept once and goes to the end. */
  function makeRoom(): void {
    for (const [key, answer] of answers) {
      answers.delete(key)
      if (!answer.usedSinceSweep) return
      answer.usedSinceSweep = false
      answers.set(key, answer)
    }
  }
}
