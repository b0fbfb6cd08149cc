import type { ApiKeyStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { requireRow } from './no-such.ts'

/** Each message is the digest of a key that changed. */
export const KEY_CHANGED_TOPIC = 'sluice:key-revoked'

export function revokeKey(
  input: AuditTools & Pick<Runtime, 'cache' | 'log'> & { apiKeys: ApiKeyStore },
): Operator['revokeKey'] {
  const { apiKeys, cache, log, ...tools } = input
  return async (id) => {
    const act = { action: 'key.revoke', organizationId: null, subject: id, detail: {} }
    const change = { id, revokedAtMs: tools.clock.nowMs() }
    const revoked = requireRow(await apiKeys.revoke(change, draftAudit(act, tools)), 'key', id)
    const { digest, ...apiKey } = revoked
    await announceKeyChange({ id, digest }, { cache, log })
    return apiKey
  }
}

export async function announceKeyChange(
  { id, digest }: { id: string; digest: string },
  { cache, log }: Pick<Runtime, 'cache' | 'log'>,
): Promise<void> {
  await cache.publish(KEY_CHANGED_TOPIC, digest).catch((error: unknown) => {
    log.warn('key.announce_failed', { keyId: id, error })
  })
}
