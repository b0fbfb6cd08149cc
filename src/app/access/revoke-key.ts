import type { Cache } from '../../ports/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ApiKeyStore } from '../../ports/tenants.ts'
import type { Operator } from '../operator.ts'
import { noSuch } from './no-such.ts'

/** The message is the digest of the key that ended. */
export const KEY_REVOKED_TOPIC = 'sluice:key-revoked'

export function revokeKey({
  apiKeys,
  cache,
  clock,
  log,
}: {
  apiKeys: ApiKeyStore
  cache: Cache
  clock: Clock
  log: Log
}): Operator['revokeKey'] {
  return async (id) => {
    const revoked = await apiKeys.revoke({ id, revokedAtMs: clock.nowMs() })
    if (revoked === undefined) throw noSuch('key', id)
    const { digest, ...apiKey } = revoked
    await cache.publish(KEY_REVOKED_TOPIC, digest).catch((error: unknown) => {
      log.warn('the news of a revoked key did not go out; it ends within 5 s all the same', {
        keyId: id,
        error,
      })
    })
    return apiKey
  }
}
