import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import type { Organization } from '../../domain/access/organization.ts'
import { type JsonSchema, json } from '../../domain/json/json-schema.ts'
import type { UsageSum } from '../../ports/usage-reports.ts'
import type { ShownCharge } from '../usage/show-usage.ts'
import { answer, shown } from './present.ts'

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

/** Shows the balance. `available_micros` does not bound a postpaid organization, which can spend without a balance. */
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

const CHARGED = {
  organization_id: shown.text(),
  user_id: shown.textOrNull(),
  key_id: shown.textOrNull(),
  provider: shown.textOrNull(),
  model: shown.text(),
  cost_micros: shown.micros(),
  entry_id: shown.text(),
  charged_at: shown.time(),
}

const PRICE_LINE = answer({
  unit: shown.text(),
  quantity: json.number(),
  price_micros: shown.micros(),
  of: json.optional(shown.text()),
})

const TEXT_CHARGE = answer(
  {
    request_id: shown.textOrNull(),
    usage_id: shown.text(),
    ...CHARGED,
    asked_model: shown.text(),
    price_model: shown.textOrNull(),
    outcome: json.oneOf(['completed', 'failed', 'hung-up']),
    input_tokens: shown.count(),
    cached_input_tokens: shown.count(),
    cache_write_tokens: shown.count(),
    output_tokens: shown.count(),
    price_lines: json.nullable(json.array(PRICE_LINE.schema)),
    vendor_usage: json.anything({
      description: "The vendor's usage object, unchanged; a text where it was cut.",
    }),
    first_byte_ms: shown.countOrNull(),
    duration_ms: shown.count(),
    losses: json.array(shown.text()),
  },
  { usage_id: 'id', charged_at: 'at' },
)

const VIDEO_CHARGE = answer(
  {
    request_id: shown.textOrNull(),
    task_id: shown.textOrNull(),
    ...CHARGED,
    unit: shown.textOrNull(),
    quantity: json.nullable(json.number()),
    price_micros: shown.countOrNull(),
    video_seconds: json.number(),
    hold_micros: shown.micros(),
    loss_micros: shown.micros(),
    quote_loss_micros: shown.micros(),
    refunded_micros: shown.micros(),
  },
  { charged_at: 'at' },
)

/** Values that older rows do not have are null. */
export const CHARGE: JsonSchema = { anyOf: [TEXT_CHARGE.schema, VIDEO_CHARGE.schema] }

export function chargeJson({ kind, charge }: ShownCharge): Record<string, unknown> {
  if (kind === 'video') return VIDEO_CHARGE.present({ ...charge, videoSeconds: charge.videoMs / 1_000 })
  const priceLines = charge.priceLines?.map((line) => PRICE_LINE.present({ of: undefined, ...line })) ?? null
  const { vendorUsage: text } = charge
  // An object that was cut because of its length is shown as text.
  const value = text === null ? null : parseOrNone(text)
  return TEXT_CHARGE.present({ ...charge, priceLines, vendorUsage: value === undefined ? text : value })
}
