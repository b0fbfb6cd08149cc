import type { Organization } from '../../domain/access/organization.ts'
import type { UsageSum } from '../../ports/usage-reports.ts'

/** One sum of usage; its first members say what it is the sum of. */
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
  }
}

/** What an organization has, and how much of it can be spent. A postpaid one can spend without a balance. */
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
