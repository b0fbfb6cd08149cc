import type { Clock } from '../ports/clock.ts'

export interface Memory<T> {
  recall(key: string): T | Promise<T>
  /** The next recall asks again, and an answer that is under way does not count. */
  forget(key: string): void
}

interface MemoryOptions<T> {
  read(key: string): Promise<T>
  clock: Clock
  /** Younger than this: given as it is. Older: given as it is, and read again behind the caller's back. */
  freshMs: number
  /** Older than this: the caller waits for a new reading. */
  trustMs: number
  /** When that reading fails, an answer up to this old is better than none. */
  graceMs: number
  /** The least recently used answers go first. */
  maxEntries: number
}

interface Answer<T> {
  value: T
  readAtMs: number
}

/**
 * Keeps what the store said, so that a hot request makes no query. "Nothing there" is kept for `freshMs` only:
 * what was just created must be found soon.
 */
export function remember<T>(options: MemoryOptions<T>): Memory<T> {
  const { clock, freshMs, trustMs, graceMs } = options
  const answers = new Map<string, Answer<T>>()
  const readings = new Map<string, Promise<T>>()

  return {
    recall(key) {
      const answer = answers.get(key)
      if (answer === undefined) return readOnce(key)
      const ageMs = clock.monotonicMs() - answer.readAtMs
      if (ageMs < freshMs) return touch(key, answer)
      if (ageMs < trustMs && answer.value !== undefined) {
        readOnce(key).catch(() => {})
        return touch(key, answer)
      }
      return readOnce(key).catch((error: unknown) => {
        if (ageMs < graceMs) return answer.value
        throw error
      })
    },
    forget(key) {
      answers.delete(key)
      readings.delete(key)
    },
  }

  function touch(key: string, answer: Answer<T>): T {
    answers.delete(key)
    answers.set(key, answer)
    return answer.value
  }

  function readOnce(key: string): Promise<T> {
    const underWay = readings.get(key)
    if (underWay !== undefined) return underWay
    const reading = readAndKeep(key, () => readings.get(key) === reading)
    readings.set(key, reading)
    return reading
  }

  async function readAndKeep(key: string, stillWanted: () => boolean): Promise<T> {
    const readAtMs = clock.monotonicMs()
    try {
      const value = await options.read(key)
      if (stillWanted()) keep(key, { value, readAtMs })
      return value
    } finally {
      if (stillWanted()) readings.delete(key)
    }
  }

  function keep(key: string, answer: Answer<T>): void {
    touch(key, answer)
    if (answers.size <= options.maxEntries) return
    for (const oldest of answers.keys()) {
      answers.delete(oldest)
      return
    }
  }
}
