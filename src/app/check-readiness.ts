import type { Keyring } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import { withDeadline } from './jobs/deadline.ts'
import type { Runtime } from './runtime.ts'

export interface Readiness {
  /** `down`: the store did not accept a write in time, so the process is not ready. */
  store: 'up' | 'down'
  /** Without the cache the process still serves, with local limits. */
  cache: 'up' | 'down'
  /** Reasons why no request can be served although the store answers. */
  problems: readonly string[]
  /** Conditions that an operator should know of. They do not make the process unavailable. */
  warnings: readonly string[]
}

const PATIENCE_MS = 2_000

/** A late answer counts as "down". The probe writes, because a store with a full disk still answers reads. */
export function checkReadiness(
  input: Pick<Runtime, 'cache' | 'clock'> & {
    store: Pick<Store, 'deployment'>
    secrets: Keyring
    warnings(): readonly string[]
  },
): () => Promise<Readiness> {
  const { store, cache, secrets, clock, warnings } = input
  return async () => {
    const [probed, pinged] = await Promise.all([
      answerOf(store.deployment.probe({ atMs: clock.nowMs() })),
      answerOf(cache.ping()),
    ])
    return {
      store: probed === undefined ? 'down' : 'up',
      cache: pinged === undefined ? 'down' : 'up',
      problems: probed === undefined ? [] : problemsOf(probed.value, secrets),
      warnings: warnings(),
    }
  }
}

/** Detects that the store was replaced by another one while this process ran. */
function problemsOf(encrypted: string | undefined, secrets: Keyring): string[] {
  if (encrypted === undefined) return ['the store has lost the row that proves its secret']
  return secrets.opens(encrypted) ? [] : ['the store was encrypted with another SLUICE_SECRET']
}

/** Returns undefined when the call failed or took too long. */
async function answerOf<T>(call: Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return await withDeadline(call, { ms: PATIENCE_MS })
  } catch {
    return undefined
  }
}
