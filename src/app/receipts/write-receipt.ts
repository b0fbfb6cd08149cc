import { micros } from '../../domain/billing/micros.ts'
import type { ReceiptTask, Revocation } from '../../ports/receipts.ts'
import type { TextCharge } from '../../ports/usage-reports.ts'
import { filesJson } from '../views/erasures.ts'
import { presentTime } from '../views/times.ts'

/** Position of a receipt in the chain of its organization, and its time. */
export interface ChainPosition {
  number: number
  /** Hash of the previous receipt; null for the first. */
  previous: string | null
  issuedAtMs: number
}

/**
 * Returns the text to sign: the caller, the order, the model and time, and the cost. People, keys and organizations appear
 * by id only, and prompts by their digest, so that the text can outlive an erasure.
 */
export function writeTaskReceipt(task: ReceiptTask, position: ChainPosition): string {
  const { settlement } = task
  const ordered: { order: object; persons: string[] } | null =
    task.ordered === null ? null : JSON.parse(task.ordered)
  const isMade = task.status === 'succeeded'
  return JSON.stringify({
    ...headOf('video', position),
    organization_id: task.organizationId,
    user_id: task.userId,
    key_id: task.keyId,
    task_id: task.id,
    model: task.model,
    status: task.status,
    ...(task.errorCode === null ? {} : { error_code: task.errorCode }),
    created_at: presentTime(task.createdAtMs),
    completed_at: task.completedAtMs === null ? null : presentTime(task.completedAtMs),
    order: ordered?.order ?? null,
    persons: ordered?.persons ?? [],
    made_by: isMade ? { provider: task.provider, model: task.servedModel } : null,
    ai_generated: isMade,
    amount_micros: settlement?.chargedMicros ?? 0,
    not_charged_micros: settlement?.lossMicros ?? 0,
    currency: 'USD',
    parts: partsOf(settlement),
  })
}

function partsOf(settlement: ReceiptTask['settlement']) {
  if (settlement === null) return []
  const { unit, quantity, priceMicros, chargedMicros, lossMicros } = settlement
  if (unit === null || quantity === null || priceMicros === null) return []
  return [{ unit, quantity, price_micros: priceMicros, micros: micros(chargedMicros + lossMicros) }]
}

export function writeTextReceipt(charge: TextCharge, position: ChainPosition): string {
  return JSON.stringify({
    ...headOf('text', position),
    organization_id: charge.organizationId,
    user_id: charge.userId,
    key_id: charge.keyId,
    request_id: charge.requestId,
    usage_id: charge.id,
    model: charge.askedModel,
    status: charge.outcome,
    charged_at: presentTime(charge.atMs),
    duration_ms: charge.durationMs,
    made_by: { provider: charge.provider, model: charge.model },
    ai_generated: charge.outputTokens > 0,
    input_tokens: charge.inputTokens,
    cached_input_tokens: charge.cachedInputTokens,
    cache_write_tokens: charge.cacheWriteTokens,
    output_tokens: charge.outputTokens,
    amount_micros: charge.costMicros,
    currency: 'USD',
    parts: (charge.priceLines ?? []).map(({ unit, quantity, priceMicros }) => ({
      unit,
      quantity,
      price_micros: priceMicros,
    })),
  })
}

/** A revocation is a separate entry, because the receipts of videos that show the person do not change. */
export function writeRevocation(revocation: Revocation, position: ChainPosition): string {
  return JSON.stringify({
    ...headOf('person_revoked', position),
    organization_id: revocation.organizationId,
    group_id: revocation.groupId,
    verified_at: presentTime(revocation.verifiedAtMs),
    revoked_at: presentTime(revocation.revokedAtMs),
    files: filesJson(revocation.files),
  })
}

export function headOf(kind: 'video' | 'video.clip' | 'text' | 'person_revoked', input: ChainPosition) {
  const { number, previous, issuedAtMs } = input
  return { object: 'receipt', version: 1, kind, number, previous, issued_at: presentTime(issuedAtMs) }
}
