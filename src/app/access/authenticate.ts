import type { Caller, StoredCaller } from '../../domain/access/api-key.ts'
import { isWellFormedKey } from '../../domain/access/key-format.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { SecretChangeStore } from '../../ports/secret-change.ts'
import type { ApiKeyStore } from '../../ports/tenants.ts'
import { followTopic } from '../follow-topic.ts'
import type { Runtime } from '../runtime.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { isMarkedKey } from './create-key.ts'
import { findByDigests, moveDigestOf } from './find-by-digests.ts'
import { KEY_CHANGED_TOPIC } from './revoke-key.ts'

/** Maximum age of a known caller that is served while the store is unreachable. */
const GRACE_MS = 60_000
const MAX_KEYS = 10_000

/** Created once, because a stranger may send thousands of wrong keys a second. */
const MISSING_KEY = new ApiError('invalid_api_key', {
  message:
    'Missing API key. Send it once, in the header Authorization: Bearer sk-sluice-... (text endpoints also take x-api-key).',
})
const WRONG_KEY = new ApiError('invalid_api_key', {
  message: 'Invalid API key. It was revoked, or this gateway never made it.',
})

/**
 * Returns no promise for a known key. Throws or rejects with `invalid_api_key`, with the code of a disabled
 * organization or user, or with `overloaded` when there is no room for a look-up.
 */
export type Authenticate = (presentedKey: string | undefined) => Caller | Promise<Caller>

interface KnownKey {
  digests: readonly string[]
  caller: StoredCaller
}

/**
 * Looks in memory first. The memory is indexed by the key itself, because a digest for each request would be slow. An
 * unknown key must have the right shape and checksum before its digest is looked up in the store.
 */
export function authenticate(
  tools: Pick<Runtime, 'clock' | 'log' | 'secrets'> & {
    apiKeys: ApiKeyStore
    secretChange: Pick<SecretChangeStore, 'replaceDigest'>
  },
) {
  const { apiKeys, secretChange, secrets, clock, log } = tools
  const moveDigest = moveDigestOf({ table: 'api_keys', secretChange, secrets, log })
  const bounded = boundUnknownKeys({ clock, log })
  const known = createTtlCache<KnownKey | undefined>({ clock, graceMs: GRACE_MS, maxEntries: MAX_KEYS })

  return {
    authenticate(presentedKey: string | undefined): Caller | Promise<Caller> {
      if (presentedKey === undefined) throw MISSING_KEY
      const isKnown = known.holds(presentedKey)
      if (!isKnown && !isWellFormedKey(presentedKey)) throw WRONG_KEY
      const found = known.get(presentedKey, () =>
        isKnown || isMarkedKey(presentedKey, secrets)
          ? find(presentedKey)
          : bounded(() => find(presentedKey)),
      )
      return found instanceof Promise ? found.then(callerOf) : callerOf(found)
    },
    forgetKey: (digest: string) => known.forgetWhere((key) => key?.digests.includes(digest) === true),
    forgetOrganization: (id: string) => known.forgetWhere((key) => key?.caller.organizationId === id),
    forgetUser: (id: string) => known.forgetWhere((key) => key?.caller.userId === id),
  }

  function callerOf(found: KnownKey | undefined): Caller {
    if (found === undefined) throw WRONG_KEY
    const { caller } = found
    if (caller.expiresAtMs !== null && clock.nowMs() >= caller.expiresAtMs)
      throw new ApiError('invalid_api_key', { message: 'This API key has expired.' })
    if (caller.disabled !== null) throw new ApiError(caller.disabled)
    return caller
  }

  async function find(key: string): Promise<KnownKey | undefined> {
    const digests = secrets.digests(key)
    const kept = await findByDigests(digests, (digest) => apiKeys.findCaller(digest))
    if (kept === undefined) return undefined
    moveDigest(kept.found.keyId, key, kept.digest)
    return { digests, caller: kept.found }
  }
}

/** With a shared cache, revocations spread immediately; without one, a revoked key works until its entry expires. */
export function forgetRevokedKeys(
  tools: Pick<Runtime, 'cache' | 'log'> & { forgetKey(digest: string): void },
): Promise<void> {
  return followTopic(KEY_CHANGED_TOPIC, tools.forgetKey, { ...tools, failure: 'key.subscribe_failed' })
}

/** Few look-ups at the same time leave the store's connections to known keys. */
const CONCURRENT_MAX = 4
const WAITING_MAX = 256
/** Look-ups a second: enough for the keys of a restarted deployment, and too few to keep a store busy. */
const PER_SECOND = 200
const BURST = 1_000
const LOG_EVERY_MS = 60_000

type BoundLookUp = <T>(lookUp: () => Promise<T>) => Promise<T>

/**
 * A well-formed key without a mark may have been made before keys had marks, or by a stranger, and only the store can
 * tell. Look-ups of these keys are bounded, so that made-up keys do not delay known ones. A look-up without room gets a
 * 503 and not a 401, because the key may be valid.
 */
function boundUnknownKeys({ clock, log }: Pick<Runtime, 'clock' | 'log'>): BoundLookUp {
  const queue: (() => void)[] = []
  let running = 0
  let tokens = BURST
  let filledAtMs = clock.monotonicMs()
  let loggedAtMs = Number.NEGATIVE_INFINITY

  function takeToken(): boolean {
    const nowMs = clock.monotonicMs()
    tokens = Math.min(BURST, tokens + ((nowMs - filledAtMs) * PER_SECOND) / 1_000)
    filledAtMs = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }

  function refuse(): never {
    const nowMs = clock.monotonicMs()
    if (nowMs - loggedAtMs >= LOG_EVERY_MS) {
      loggedAtMs = nowMs
      log.warn('key.unknown_refused')
    }
    throw new ApiError('overloaded')
  }

  return async (lookUp) => {
    if ((running >= CONCURRENT_MAX && queue.length >= WAITING_MAX) || !takeToken()) refuse()
    // A look-up that ends hands its slot to the next in the queue.
    if (running >= CONCURRENT_MAX) await new Promise<void>((resolve) => queue.push(resolve))
    else running += 1
    try {
      return await lookUp()
    } finally {
      const next = queue.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
