import type { Caller } from '../../domain/access/caller.ts'
import { isWellFormedKey } from '../../domain/access/key-format.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Cache } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { ApiKeyStore } from '../../ports/tenants.ts'
import { remember } from '../remember.ts'
import { KEY_REVOKED_TOPIC } from './revoke-key.ts'

/** Together at most 5 s: a revoked key is refused everywhere by then, also where no news arrives. */
const FRESH_MS = 2_000
const TRUST_MS = 4_500
/** While the store is away nobody can revoke a key in it; known callers are served this long. */
const GRACE_MS = 60_000
const MAX_KEYS = 10_000

/** At once for a key it knows; throws or rejects with `invalid_api_key`. */
export type Authenticate = (presentedKey: string | undefined) => Caller | Promise<Caller>

export interface Access {
  authenticate: Authenticate
  forgetKey(digest: string): void
  /** Of all its keys, because its limits have changed. */
  forgetOrganization(id: string): void
}

interface KnownKey {
  digest: string
  caller: Caller
}

/**
 * The memory first; for a key it does not know shape and checksum, and only then the digest and the store.
 * The memory goes by the key itself: it is never written anywhere, and a digest per request would cost more than all the rest.
 */
export function authenticate({
  apiKeys,
  secrets,
  clock,
}: {
  apiKeys: ApiKeyStore
  secrets: Secrets
  clock: Clock
}): Access {
  const known = remember<KnownKey | undefined>({
    clock,
    freshMs: FRESH_MS,
    trustMs: TRUST_MS,
    graceMs: GRACE_MS,
    maxEntries: MAX_KEYS,
  })

  return {
    authenticate(presentedKey) {
      if (presentedKey === undefined) throw new Refusal('invalid_api_key')
      if (!known.holds(presentedKey) && !isWellFormedKey(presentedKey)) throw new Refusal('invalid_api_key')
      const found = known.recall(presentedKey, () => find(presentedKey))
      return found instanceof Promise ? found.then(callerOf) : callerOf(found)
    },
    forgetKey: (digest) => known.forgetWhere((key) => key?.digest === digest),
    forgetOrganization: (id) => known.forgetWhere((key) => key?.caller.organizationId === id),
  }

  async function find(key: string): Promise<KnownKey | undefined> {
    const digest = secrets.digest(key)
    const caller = await apiKeys.findCaller(digest)
    return caller === undefined ? undefined : { digest, caller }
  }
}

function callerOf(found: KnownKey | undefined): Caller {
  if (found === undefined) throw new Refusal('invalid_api_key')
  return found.caller
}

/** Revocations spread at once where the cache carries news; elsewhere the memory's age does it. */
export async function forgetRevokedKeys({
  cache,
  forgetKey,
  log,
}: {
  cache: Cache
  forgetKey(digest: string): void
  log: Log
}): Promise<void> {
  try {
    await cache.subscribe(KEY_REVOKED_TOPIC, forgetKey)
  } catch (error) {
    log.warn('no news of revoked keys; they end within 5 s all the same', { error })
  }
}
