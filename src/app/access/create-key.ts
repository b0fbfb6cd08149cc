import { formatKey, keyBytes, keyPrefix } from '../../domain/access/key-format.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { NewAudit } from '../../ports/audit.ts'
import type { Checkpoint } from '../../ports/checkpoint.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ModelStore } from '../../ports/models.ts'
import type { NewId, Secrets } from '../../ports/secrets.ts'
import type { ApiKeyStore, NewApiKey } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import { noneToChange } from './no-such.ts'

export function createKey({
  apiKeys,
  models,
  checkpoint,
  ...tools
}: AuditTools & {
  apiKeys: ApiKeyStore
  models: Pick<ModelStore, 'list'>
  secrets: Secrets
  checkpoint: Checkpoint
}): Operator['createKey'] {
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

/** A mistake in a name would make a key that can do nothing. */
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

function auditOf(
  {
    id,
    organizationId,
    userId,
    name,
    requestsPerMinute,
    expiresAtMs,
    allowedModels,
    monthlyBudgetMicros,
  }: NewApiKey,
  tools: AuditTools,
): NewAudit {
  const detail = {
    user_id: userId,
    name,
    requests_per_minute: requestsPerMinute,
    ...(expiresAtMs !== null && { expires_at_ms: expiresAtMs }),
    ...(allowedModels !== null && { allowed_models: allowedModels.join(',') }),
    ...(monthlyBudgetMicros !== null && { monthly_budget_micros: monthlyBudgetMicros }),
  }
  return draftAudit({ action: 'key.create', organizationId, subject: id, detail }, tools)
}

/** Returns the row, which can recognise the key, and the key, which cannot be computed from the row. */
export function draftKey(
  command: Parameters<Operator['createKey']>[0],
  { newId, clock, secrets }: { newId: NewId; clock: Clock; secrets: Secrets },
): { row: NewApiKey; key: string } {
  const key = makeKey(secrets)
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

/** The 32 bytes of a key are random bytes, then a mark of them that only this deployment can make. */
const RANDOM_BYTES = 20
const MARK_BYTES = 12

/** The second part of a key proves that this deployment made it: a made-up key is recognised without a query. */
function makeKey(secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES)
  const bytes = new Uint8Array(RANDOM_BYTES + MARK_BYTES)
  bytes.set(random)
  bytes.set(secrets.mark(random, MARK_BYTES), RANDOM_BYTES)
  return formatKey(bytes)
}

/** Returns false for a key that was made before keys had marks. The key must be well-formed. */
export function isMarkedKey(key: string, secrets: Secrets): boolean {
  const bytes = keyBytes(key)
  return secrets.isMark(bytes.subarray(RANDOM_BYTES), bytes.subarray(0, RANDOM_BYTES))
}
