import { ZERO_MICROS } from '../../../domain/billing/micros.ts'
import {
  type OtherPrices,
  type PricedText,
  priceText,
  type TextUse,
} from '../../../domain/billing/price-text.ts'
import type { Surcharges } from '../../../domain/billing/surcharges.ts'
import type { FallbackPrice } from '../../../domain/catalog/model.ts'
import type { ReplyTokens } from '../../../llm/canonical/reply-event.ts'
import { countedSoFar, countedTokens, countedWithHidden } from '../../../llm/count/counted-tokens.ts'
import type { Usage } from '../../billing/spend.ts'
import type { Charge } from '../relay/relay.ts'
import { rowOf, type TextRoute } from '../route/choose-route.ts'
import { hasCountedInput } from '../route/hides-cost.ts'
import { clampTokens, type TokenBounds } from './clamp-tokens.ts'
import type { ServedEnd } from './vendor-call-end.ts'

/** What a charge is computed from, beside the reply. */
export interface Measured {
  requestId: string
  /** The model that served. */
  route: TextRoute
  /** The model that was asked for, where another one served. */
  asked?: AskedModel | undefined
  /** What vendors' other models cost, where one took part. */
  others?: OtherPrices | undefined
  /** The tier and the speed that the request asked for. */
  wished?: Surcharges | undefined
  /** Whether the vendor was asked for a cache that keeps for long. */
  asksForLongCache?: TextUse['asksForLongCache']
  /** Our own count of the request, made only where the vendor made none. */
  countInput(): number
  durationMs: number
  losses: readonly string[]
  /** How fast the model writes: for what was hidden and not counted. */
  tokensPerSecond(model: string): number
  /** As much as the request and its model allow; undefined: neither says. */
  maxOutputTokens: number | undefined
  /** As much as may go in where the request only names it; undefined: it brings all that goes in. */
  elsewhereTokens?: number | undefined
  /** More than the request could use: counts beyond it are cut. Left out: none is. */
  bounds?: TokenBounds | undefined
  /** Called when the vendor's count was cut. */
  onClamped?: (() => void) | undefined
  /** Called with what had no price of its own. */
  onUnpriced?: ((what: readonly string[]) => void) | undefined
}

export interface AskedModel {
  route: TextRoute
  fallbackPrice: FallbackPrice | undefined
}

/** What a reply that was served costs, as far as it came. */
export function chargeFor(end: ServedEnd, measured: Measured): Charge {
  const { outcome, outputBytes } = end
  const counted = countOf(end, measured)
  const tokens = measured.bounds === undefined ? counted : clampTokens(counted, measured.bounds, outputBytes)
  const isClamped = tokens !== counted
  // Thoughts that the client did not want to see are output as well: its vendor made them.
  const isFree = outcome === 'failed' && !end.isReadToEnd && outputBytes === 0
  if (isFree) return { tokens, priced: FREE, priceModel: rowOf(measured.route) }
  const surcharges = end.isReadToEnd ? tokens.surcharges : { ...measured.wished, ...tokens.surcharges }
  const { priced, priceModel } = priceOf(
    { tokens, surcharges, asksForLongCache: measured.asksForLongCache },
    measured,
  )
  return { tokens, priced, priceModel, isClamped }
}

/** The usage row of a reply that was served. */
export function usageOf(end: ServedEnd, measured: Measured): Usage {
  const { route, asked, durationMs, losses, onUnpriced } = measured
  const { outcome, firstByteMs } = end
  const { tokens, priced, priceModel, isClamped } = end.charge ?? chargeFor(end, measured)
  if (isClamped === true) measured.onClamped?.()
  if (priced.unpriced.length > 0) onUnpriced?.(priced.unpriced)
  const all = withOthers(tokens)
  return {
    requestId: measured.requestId,
    model: route.name,
    askedModel: rowOf(asked?.route ?? route),
    provider: route.provider.name,
    priceModel,
    vendorUsage: writeVendorUsage(end.vendorUsage),
    inputTokens: all.input,
    cachedInputTokens: all.cachedInput,
    cacheWriteTokens: all.cacheWrite,
    outputTokens: all.output,
    costMicros: priced.costMicros,
    priceLines: priced.lines,
    outcome,
    firstByteMs: firstByteMs === undefined ? null : Math.round(firstByteMs),
    durationMs: Math.round(durationMs),
    losses: eachOnce(losses, end.losses),
  }
}

const FREE: PricedText = { lines: [], costMicros: ZERO_MICROS, unpriced: [] }

/** A fallback is never dearer than the model that was asked for, unless the catalog says so. */
function priceOf(
  use: TextUse,
  { route, asked, others }: Measured,
): { priced: PricedText; priceModel: string } {
  const served = priceText(route.prices, use, others)
  if (asked === undefined || asked.fallbackPrice === 'served')
    return { priced: served, priceModel: rowOf(route) }
  const atAsked = priceText(asked.route.prices, use, others)
  return asked.fallbackPrice === 'asked' || atAsked.costMicros < served.costMicros
    ? { priced: atAsked, priceModel: rowOf(asked.route) }
    : { priced: served, priceModel: rowOf(route) }
}

/** Many times what vendors send; a row must stay small whatever they invent. */
const VENDOR_USAGE_LENGTH_MAX = 2_000

function writeVendorUsage(usage: unknown): string | null {
  if (typeof usage !== 'object' || usage === null) return null
  const json = JSON.stringify(usage)
  return json.length > VENDOR_USAGE_LENGTH_MAX ? json.slice(0, VENDOR_USAGE_LENGTH_MAX) : json
}

function withOthers(tokens: ReplyTokens): Omit<ReplyTokens, 'reasoning'> {
  const { input, cachedInput, cacheWrite, output, surcharges } = tokens
  const all = { input, cachedInput, cacheWrite, output }
  for (const other of surcharges?.others ?? []) {
    all.input += other.input
    all.cachedInput += other.cachedInput
    all.cacheWrite += other.cacheWrite
    all.output += other.output
  }
  return all
}

function countOf(end: ServedEnd, measured: Measured): ReplyTokens {
  const { outcome, tokens, outputBytes, isAllCounted, hidden, hostedCalls = 0 } = end
  const { route, countInput, maxOutputTokens, elsewhereTokens = 0 } = measured
  if (end.isReadToEnd) return countedTokens(tokens, { countInput, outputBytes })
  const counted = countedSoFar(tokens, { countInput, outputBytes, isAllCounted })
  // What a vendor broke off is not its client's doing.
  if (outcome === 'failed') return counted
  const input = hasCountedInput(end) ? counted.input : Math.max(counted.input, elsewhereTokens)
  const all = { ...counted, input: input + hostedCalls * HOSTED_CALL_TOKENS }
  // Without one byte of a reply nothing shows that the vendor wrote any.
  if (hidden === undefined || end.firstByteMs === undefined) return all
  const tokensPerSecond = measured.tokensPerSecond(route.name)
  const bounds = [maxOutputTokens, route.maxOutputTokens].filter((bound) => bound !== undefined)
  return countedWithHidden(all, { ...hidden, tokensPerSecond, maxOutputTokens: Math.min(...bounds) })
}

/** About as much as a search puts in. */
const HOSTED_CALL_TOKENS = 8_000

function eachOnce(planned: readonly string[], met: Iterable<string>): readonly string[] {
  const all = [...planned, ...met]
  return all.length < 2 ? all : [...new Set(all)]
}

/** A vendor was asked and served nothing: a row that says so, free. */
export function usageOfRefused(
  measured: Pick<Measured, 'requestId' | 'route' | 'asked' | 'durationMs' | 'losses'>,
): Usage {
  const { requestId, route, asked, durationMs, losses } = measured
  return {
    requestId,
    model: route.name,
    askedModel: rowOf(asked?.route ?? route),
    provider: route.provider.name,
    priceModel: rowOf(route),
    vendorUsage: null,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    costMicros: ZERO_MICROS,
    priceLines: [],
    outcome: 'failed',
    firstByteMs: null,
    durationMs: Math.round(durationMs),
    losses,
  }
}
