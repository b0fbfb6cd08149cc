import type { Cache } from '../ports/cache.ts'
import type { Clock } from '../ports/clock.ts'
import type { Keyring } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import { withDeadline } from './jobs/deadline.ts'

export interface Readiness {
  /** Without a store that reads and writes nothing can be served. */
  store: 'up' | 'down'
  /** Without the cache the process serves on, under local bounds. */
  cache: 'up' | 'down'
  /** Why nothing can be served although the store answers. */
  problems: readonly string[]
  /** What an operator should know; requests are served all the same. */
  warnings: readonly string[]
}

const PATIENCE_MS = 2_000

/** Asks both engines, and takes silence for "down". The store has to write: a full disk still answers reads. */
export function checkReadiness({
  store,
  cache,
  secrets,
  clock,
  warnings,
}: {
  store: Pick<Store, 'deployment'>
  cache: Cache
  secrets: Keyring
  clock: Clock
  warnings: readonly string[]
}): () => Promise<Readiness> {
  return async () => {
    const [probed, pinged] = await Promise.all([
      answerOf(store.deployment.probe({ atMs: clock.nowMs() })),
      answerOf(cache.ping()),
    ])
    return {
      store: probed === undefined ? 'down' : 'up',
      cache: pinged === undefined ? 'down' : 'up',
      problems: probed === undefined ? [] : problemsOf(probed.value, secrets),
      warnings,
    }
  }
}

/** The store may have been replaced by another while this process ran. */
function problemsOf(encrypted: string | undefined, secrets: Keyring): string[] {
  if (encrypted === undefined) return ['the store has lost the row that proves its secret']
  return secrets.opens(encrypted) ? [] : ['the store was encrypted with another SLUICE_SECRET']
}

/** undefined: it failed, or did not answer in time. */
async function answerOf<T>(asked: Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return await withDeadline(asked, { ms: PATIENCE_MS })
  } catch {
    return undefined
  }
}
