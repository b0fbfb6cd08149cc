import type { ReplyTokens } from '@sluice/dialects/canonical/reply-event'
import { BROKEN_OFF } from '@sluice/dialects/canonical/stream-failures'
import type { Surcharges } from '@sluice/dialects/canonical/usage'
import { countedSoFar, countedTokens, countedWithHidden } from '@sluice/dialects/count/counted-tokens'
import type { ApiError } from '../../../domain/api-error.ts'
import { ZERO_MICROS } from '../../../domain/billing/micros.ts'
import {
  type OtherPrices,
  type PricedText,
  priceText,
  type TextUse,
} from '../../../domain/billing/price-text.ts'
import type { FallbackPrice } from '../../../domain/catalog/model.ts'
import type { RequestUsage } from '../../billing/spend.ts'
import type { ReplyCharge } from '../contract/relay.ts'
import { rowOf, type TextRoute } from '../route/choose-route.ts'
import { hasCountedInput } from '../route/hides-cost.ts'
import { clampTokens, type TokenBounds } from './clamp-tokens.ts'
import { errorOfReply } from './text-vendor-error.ts'
import type { ServedEnd } from './vendor-call-end.ts'

export interface ChargeBasis {
  requestId: string
  operation: RequestUsage['operation']
  route: TextRoute
  asked?: AskedModel | undefined
  others?: OtherPrices | undefined
  /** Tier, speed and region that the request asked for. */
  requested?: Surcharges | undefined
  /** Whether the vendor was asked for a cache with a long lifetime. */
  asksForLongCache?: TextUse['asksForLongCache']
  /** Estimates the input tokens; called only if the vendor reported none. */
  countInput(): number
  durationMs: number
  losses: readonly string[]
  /** Rate of a model, for hidden output that was not reported. */
  tokensPerSecond(model: string): number
  /** Output bound of the request and its model; undefined: there is none. */
  maxOutputTokens: number | undefined
  /** Maximum input behind references of the request; undefined: the request contains all of its input. */
  elsewhereTokens?: number | undefined
  /** Bounds beyond which reported usage is clamped. Left out: usage is not clamped. */
  bounds?: TokenBounds | undefined
  onClamped?: (() => void) | undefined
  /** Called with the names of usage that had no price of its own. */
  onUnpriced?: ((what: readonly string[]) => void) | undefined
}

export interface AskedModel {
  route: TextRoute
  fallbackPrice: FallbackPrice | undefined
}

export function chargeFor(end: ServedEnd, measured: ChargeBasis): ReplyCharge {
  const { outcome, outputBytes } = end
  const counted = countOf(end, measured)
  const tokens = measured.bounds === undefined ? counted : clampTokens(counted, measured.bounds, outputBytes)
  const isClamped = tokens !== counted
  // Hidden reasoning is output as well, so a reply that was read to its end is not free.
  const isFree = outcome === 'failed' && !end.isReadToEnd && outputBytes === 0 && end.isTooLarge !== true
  if (isFree) return { tokens, priced: FREE, priceModel: rowOf(measured.route) }
  const surcharges = end.isReadToEnd ? tokens.surcharges : { ...measured.requested, ...tokens.surcharges }
  const { priced, priceModel } = priceOf(
    { tokens, surcharges, asksForLongCache: measured.asksForLongCache },
    measured,
  )
  return { tokens, priced, priceModel, isClamped }
}

export function usageOf(end: ServedEnd, measured: ChargeBasis): RequestUsage {
  const { route, asked, durationMs, losses, onUnpriced } = measured
  const { outcome, firstByteMs } = end
  const { tokens, priced, priceModel, isClamped } = end.charge ?? chargeFor(end, measured)
  if (isClamped === true) measured.onClamped?.()
  if (priced.unpriced.length > 0) onUnpriced?.(priced.unpriced)
  const all = withOthers(tokens)
  return {
    requestId: measured.requestId,
    operation: measured.operation,
    ...answerOf(end),
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

/** Status of a request whose client left before its reply began. */
const CLIENT_CLOSED_REQUEST = 499

function answerOf(input: ServedEnd): Pick<RequestUsage, 'status' | 'code'> {
  const { outcome, unusable, failure, hasBegun } = input
  if (unusable !== undefined) return { status: unusable.status, code: unusable.code }
  if (outcome === 'hung-up')
    return { status: hasBegun === true ? 200 : CLIENT_CLOSED_REQUEST, code: 'client_closed_request' }
  if (outcome === 'completed') return { status: 200, code: null }
  if (failure?.kind === 'too-large') return { status: 200, code: 'reply_too_large' }
  return { status: 200, code: errorOfReply(failure ?? BROKEN_OFF).apiError.code }
}

const FREE: PricedText = { lines: [], costMicros: ZERO_MICROS, unpriced: [] }

/** A fallback is never more expensive than the requested model, unless its `fallbackPrice` is `served`. */
function priceOf(use: TextUse, input: ChargeBasis): { priced: PricedText; priceModel: string } {
  const { route, asked, others } = input
  const served = priceText(route.prices, use, others)
  if (asked === undefined || asked.fallbackPrice === 'served')
    return { priced: served, priceModel: rowOf(route) }
  const atAsked = priceText(asked.route.prices, use, others)
  return asked.fallbackPrice === 'asked' || atAsked.costMicros < served.costMicros
    ? { priced: atAsked, priceModel: rowOf(asked.route) }
    : { priced: served, priceModel: rowOf(route) }
}

/** Many times the length that vendors send; the bound keeps rows small. */
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

function countOf(end: ServedEnd, measured: ChargeBasis): ReplyTokens {
  const { outcome, tokens, outputBytes, isAllCounted, hidden, hostedCalls = 0 } = end
  const { route, countInput, maxOutputTokens, elsewhereTokens = 0 } = measured
  if (end.isReadToEnd) return countedTokens(tokens, { countInput, outputBytes })
  const counted = countedSoFar(tokens, { countInput, outputBytes, isAllCounted })
  // The client does not pay for output that a failing vendor did not deliver.
  if (outcome === 'failed') return counted
  const input = hasCountedInput(end) ? counted.input : Math.max(counted.input, elsewhereTokens)
  const all = { ...counted, input: input + hostedCalls * HOSTED_CALL_TOKENS }
  // Without a first byte there is no evidence that the vendor wrote anything.
  if (hidden === undefined || end.firstByteMs === undefined) return all
  const tokensPerSecond = measured.tokensPerSecond(route.name)
  const bounds = [maxOutputTokens, route.maxOutputTokens].filter((bound) => bound !== undefined)
  return countedWithHidden(all, { ...hidden, tokensPerSecond, maxOutputTokens: Math.min(...bounds) })
}

/** Approximate input of one web search. */
const HOSTED_CALL_TOKENS = 8_000

function eachOnce(planned: readonly string[], met: Iterable<string>): readonly string[] {
  const all = [...planned, ...met]
  return all.length < 2 ? all : [...new Set(all)]
}

export function usageOfRefused(
  measured: Pick<ChargeBasis, 'requestId' | 'operation' | 'route' | 'asked' | 'durationMs' | 'losses'>,
  { status, code }: Pick<ApiError, 'status' | 'code'>,
): RequestUsage {
  const { requestId, operation, route, asked, durationMs, losses } = measured
  return {
    requestId,
    operation,
    status,
    code,
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
