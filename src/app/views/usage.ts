import type { Organization } from '../../domain/access/organization.ts'
import type { UsageSum } from '../../ports/usage-reports.ts'
import type { ShownCharge } from '../usage/show-usage.ts'

/** Presents one sum of usage; its first members name the group. */
export function usageJson(sum: UsageSum) {
  return {
    ...(sum.day === undefined ? {} : { day: new Date(sum.day).toISOString().slice(0, 10) }),
    ...(sum.hour === undefined ? {} : { hour: new Date(sum.hour).toISOString().replace('.000Z', 'Z') }),
    ...(sum.org === undefined ? {} : { organization_id: sum.org }),
    ...(sum.user === undefined ? {} : { user_id: sum.user }),
    ...(sum.key === undefined ? {} : { key_id: sum.key }),
    ...(sum.model === undefined ? {} : { model: sum.model }),
    requests: sum.requests,
    errors: sum.errors,
    input_tokens: sum.inputTokens,
    cached_input_tokens: sum.cachedInputTokens,
    cache_write_tokens: sum.cacheWriteTokens,
    output_tokens: sum.outputTokens,
    video_seconds: sum.videoMs / 1_000,
    cost_micros: sum.costMicros,
    cached_input_share: cachedShareOf(sum),
  }
}

/** Share of input tokens that the vendor read from its cache; 0 without input. */
function cachedShareOf({ inputTokens, cachedInputTokens, cacheWriteTokens }: UsageSum): number {
  const all = inputTokens + cachedInputTokens + cacheWriteTokens
  return all === 0 ? 0 : Math.round((cachedInputTokens / all) * 10_000) / 10_000
}

/** Presents a balance and its free part. A postpaid organization can spend without a balance. */
export function balanceJson({ id, billing, balanceMicros, heldMicros }: Organization) {
  return {
    object: 'balance',
    organization_id: id,
    billing,
    balance_micros: balanceMicros,
    held_micros: heldMicros,
    available_micros: balanceMicros - heldMicros,
  }
}

/** Presents all facts of one charge, so that it can be computed again. */
export function chargeJson({ kind, charge }: ShownCharge) {
  const { organizationId, userId, keyId, model, provider, costMicros, entryId, atMs } = charge
  const common = {
    organization_id: organizationId,
    user_id: userId,
    key_id: keyId,
    provider,
    model,
    cost_micros: costMicros,
    entry_id: entryId,
    charged_at: new Date(atMs).toISOString(),
  }
  if (kind === 'video')
    return {
      request_id: charge.requestId,
      task_id: charge.taskId,
      ...common,
      unit: charge.unit,
      quantity: charge.quantity,
      price_micros: charge.priceMicros,
      video_seconds: charge.videoMs / 1_000,
      hold_micros: charge.holdMicros,
      loss_micros: charge.lossMicros,
      quote_loss_micros: charge.quoteLossMicros,
      refunded_micros: charge.refundedMicros,
    }
  return {
    request_id: charge.requestId,
    usage_id: charge.id,
    ...common,
    asked_model: charge.askedModel,
    price_model: charge.priceModel,
    outcome: charge.outcome,
    input_tokens: charge.inputTokens,
    cached_input_tokens: charge.cachedInputTokens,
    cache_write_tokens: charge.cacheWriteTokens,
    output_tokens: charge.outputTokens,
    price_lines:
      charge.priceLines?.map(({ unit, quantity, priceMicros, of }) => ({
        unit,
        quantity,
        price_micros: priceMicros,
        ...(of === undefined ? {} : { of }),
      })) ?? null,
    vendor_usage: parsedOrText(charge.vendorUsage),
    first_byte_ms: charge.firstByteMs,
    duration_ms: charge.durationMs,
    losses: charge.losses,
  }
}

/** An object that was cut because of its length is shown as text. */
function parsedOrText(json: string | null): unknown {
  if (json === null) return null
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
