import { createPlaces } from './places.ts'

/** The addresses of a name. The signal says when nobody waits any more; a look-up under way goes on regardless. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * The system's resolver blocks a thread of libuv's pool, which has four by default, until the name's servers have
 * answered or the system gives up; nobody can take a look-up back. A stranger can name hosts whose servers never
 * answer. Two at once leave two threads for files, compression and whatever else the process does there, and no
 * name may have both. libuv itself gives look-ups half of its threads at most, so with the default size the
 * operator's own names still wait behind these two; a larger UV_THREADPOOL_SIZE gives them room.
 */
const LOOK_UPS = { limit: 2, limitEach: 1, queueLimit: 1_000, queueLimitEach: 250, queueWaitMs: 3_000 }

/** The same resolver, asked about so many names at once. Its promise ends with the look-up, never before it. */
export function boundLookUps(resolve: Resolve): Resolve {
  const places = createPlaces(LOOK_UPS)
  return async (hostname, signal) => {
    const leave = await places.take(signal, hostname)
    try {
      return await resolve(hostname, signal)
    } finally {
      leave()
    }
  }
}
