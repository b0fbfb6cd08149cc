import { formatKey, keyBytes, keyPrefix } from '../../domain/access/key-format.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { ModelStore } from '../../ports/models.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { ApiKeyStore, NewApiKey } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { areMarkedBytes, makeMarkedBytes } from './marked-bytes.ts'
import { noneToChange } from './no-such.ts'

export function createKey(
  input: AuditTools &
    Pick<Runtime, 'checkpoint' | 'secrets'> & {
      apiKeys: ApiKeyStore
      models: Pick<ModelStore, 'list'>
    },
): Operator['createKey'] {
  const { apiKeys, models, checkpoint, ...tools } = input
  return async (command) => {
    await requireKnownModels(command.allowedModels ?? [], models)
    if (command.expiresAtMs != null && command.expiresAtMs <= tools.clock.nowMs())
      throw new ApiError('invalid_parameter', {
        message: 'A key must expire in the future. No key was made.',
      })
    const { row, key } = draftKey(command, tools)
    checkpoint('key.before-create')
    const created = await apiKeys.create(row, auditOf(row, tools))
    if (!created) throw noneToChange('user', `${command.userId} in ${command.organizationId}`)
    checkpoint('key.after-create')
    const { digest: _, ...apiKey } = row
    return { apiKey: { ...apiKey, revokedAtMs: null }, key }
  }
}

/** A misspelt name would make a key that cannot use the intended model. */
async function requireKnownModels(names: readonly string[], models: Pick<ModelStore, 'list'>): Promise<void> {
  if (names.length === 0) return
  const known = new Set((await models.list()).map(({ name }) => name))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new ApiError('invalid_parameter', {
    message: `There is no model ${unknown.join(', ')} in the catalog. No key was made.`,
    command: '"sluice model list" shows them.',
  })
}

function auditOf(row: NewApiKey, tools: AuditTools): NewAudit {
  const { id, organizationId, expiresAtMs, allowedModels, monthlyBudgetMicros } = row
  const detail = {
    user_id: row.userId,
    name: row.name,
    requests_per_minute: row.requestsPerMinute,
    expires_at_ms: expiresAtMs ?? undefined,
    allowed_models: allowedModels?.join(','),
    monthly_budget_micros: monthlyBudgetMicros ?? undefined,
  }
  return draftAudit({ action: 'key.create', organizationId, subject: id, detail }, tools)
}

/** Returns the row and the key, which cannot be computed from the row. */
export function draftKey(
  command: Parameters<Operator['createKey']>[0],
  { newId, clock, secrets }: Pick<Runtime, 'clock' | 'newId' | 'secrets'>,
): { row: NewApiKey; key: string } {
  const key = formatKey(makeMarkedBytes('', secrets))
  const row = {
    expiresAtMs: null,
    allowedModels: null,
    monthlyBudgetMicros: null,
    ...command,
    id: newId('key'),
    prefix: keyPrefix(key),
    digest: secrets.digest(key),
    createdAtMs: clock.nowMs(),
  }
  return { row, key }
}

/** Returns false for a key that was made before keys had marks. The key must be well-formed. */
export function isMarkedKey(key: string, secrets: Secrets): boolean {
  return areMarkedBytes(keyBytes(key), '', secrets)
}
