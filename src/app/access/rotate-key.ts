import { ApiError } from '../../domain/api-error.ts'
import { type Calendar, monthOf } from '../../domain/limits/calendar-day.ts'
import type { ApiKeyStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { draftKey } from './create-key.ts'
import { requireRow } from './no-such.ts'
import { announceKeyChange } from './revoke-key.ts'

/** Makes a successor with equal limits, models and expiry, and lets the old key work for a while longer. */
export function rotateKey(
  input: AuditTools &
    Pick<Runtime, 'cache' | 'log' | 'secrets'> & { apiKeys: ApiKeyStore; calendar: Calendar },
): Operator['rotateKey'] {
  const { apiKeys, calendar, cache, log, ...tools } = input
  return async ({ id, overlapMs }) => {
    const old = requireRow(await apiKeys.find(id), 'key', id)
    const nowMs = tools.clock.nowMs()
    const hasExpired = old.expiresAtMs !== null && old.expiresAtMs <= nowMs
    if (old.revokedAtMs !== null || hasExpired)
      throw new ApiError('invalid_parameter', {
        message: `The key ${id} ${hasExpired ? 'has expired' : 'is revoked'}. Make a new one.`,
        command: '"sluice key create" does.',
      })
    const { organizationId, userId, name, requestsPerMinute, expiresAtMs } = old
    const { allowedModels, monthlyBudgetMicros } = old
    const terms = { requestsPerMinute, expiresAtMs, allowedModels, monthlyBudgetMicros }
    const { row, key } = draftKey({ organizationId, userId, name, ...terms }, tools)
    const endsAtMs = Math.min(nowMs + overlapMs, expiresAtMs ?? Number.MAX_SAFE_INTEGER)
    const detail = { successor: row.id, expires_at_ms: endsAtMs }
    const act = { action: 'key.rotate', organizationId, subject: id, detail }
    const rotation = { id, endsAtMs, successor: row, month: monthOf(calendar.dayAt(nowMs)) }
    const rotated = await apiKeys.rotate(rotation, draftAudit(act, tools))
    const { digest, ...oldKey } = requireRow(rotated, 'key', id)
    await announceKeyChange({ id, digest }, { cache, log })
    const { digest: _, ...apiKey } = { ...row, monthlyBudgetMicros: oldKey.monthlyBudgetMicros }
    return { apiKey: { ...apiKey, revokedAtMs: null }, key, old: oldKey }
  }
}
