import type { OtherModelTokens, Surcharges, TextTokens } from '@sluice/dialects/canonical/usage'
import { CALL_UNITS, type CallUnit } from '@sluice/dialects/tools/call-units'
import { type FactorUnit, isOneOf, type PriceUnit } from '../catalog/price-row.ts'
import { costOfTokens } from './cost.ts'
import { type Micros, micros } from './micros.ts'
import { type TextPrices, UNCHANGED } from './text-prices.ts'

export interface PriceLine {
  unit: PriceUnit
  quantity: number
  /** Price for a million tokens, or for one call; includes every factor. */
  priceMicros: Micros
  /** The vendor's name of another model that did the work, or of a tool without a price. */
  of?: string
}

export interface PricedText {
  lines: readonly PriceLine[]
  costMicros: Micros
  /** Names without a price of their own, charged at the highest. */
  unpriced: readonly string[]
}

/** Prices of a vendor's other models; undefined where the catalog has none. */
export interface OtherPrices {
  find(model: string): TextPrices | undefined
  dearest: TextPrices
}

export interface TextUse {
  tokens: TextTokens
  surcharges?: Surcharges | undefined
  /** Whether the request asked for a long-lived cache. Called only for cache writes whose lifetime is not reported. */
  asksForLongCache?: (() => boolean) | undefined
}

/** Prices the usage line by line. Without `others`, another model costs as much as this one. */
export function priceText(prices: TextPrices, use: TextUse, others?: OtherPrices): PricedText {
  const pricing = new Pricing(prices, use)
  pricing.addTokens(use.tokens)
  for (const other of use.surcharges?.others ?? []) pricing.addOther(other, others)
  for (const [name, count] of Object.entries(use.surcharges?.calls ?? {})) pricing.addCalls(name, count)
  const { lines, unpriced } = pricing
  return { lines, costMicros: costOfLines(lines), unpriced }
}

export function costOfLines(lines: readonly PriceLine[]): Micros {
  return costOfTokens(
    lines.map(({ unit, quantity, priceMicros }) => ({
      tokens: IS_CALL.has(unit) ? quantity * 1_000_000 : quantity,
      perMillionMicros: priceMicros,
    })),
  )
}

const IS_CALL: ReadonlySet<PriceUnit> = new Set(CALL_UNITS)

class Pricing {
  readonly lines: PriceLine[] = []
  readonly unpriced: string[] = []
  readonly #prices: TextPrices
  readonly #surcharges: Surcharges | undefined
  readonly #asksForLongCache: TextUse['asksForLongCache']
  readonly #factor: number

  constructor(prices: TextPrices, { surcharges, asksForLongCache }: TextUse) {
    this.#prices = prices
    this.#asksForLongCache = asksForLongCache
    this.#surcharges = surcharges
    this.#factor = surcharges === undefined ? UNCHANGED : servedFactor(prices, surcharges, this.unpriced)
  }

  addTokens(tokens: TextTokens): void {
    const { longCacheWrite = 0, shortCacheWrite = 0, contextTokens } = this.#surcharges ?? {}
    this.#add(this.#prices, { ...tokens, longCacheWrite, shortCacheWrite }, { contextTokens })
  }

  addOther(tokens: OtherModelTokens, others?: OtherPrices): void {
    const known = others === undefined ? this.#prices : others.find(tokens.model)
    if (known === undefined) this.unpriced.push(`model ${tokens.model}`)
    this.#add(known ?? others?.dearest ?? this.#prices, tokens, { of: tokens.model })
  }

  addCalls(name: string, count: number): void {
    if (count === 0) return
    if (isOneOf(CALL_UNITS, name)) {
      this.lines.push({ unit: name, quantity: count, priceMicros: this.#prices.callMicros[name] })
      return
    }
    this.unpriced.push(`tool ${name}`)
    const { unit, priceMicros } = dearestCall(this.#prices)
    this.lines.push({ unit, quantity: count, priceMicros, of: name })
  }

  #add(
    prices: TextPrices,
    tokens: Omit<OtherModelTokens, 'model'>,
    { contextTokens, of }: { contextTokens?: number | undefined; of?: string },
  ): void {
    const { input, cachedInput, cacheWrite, output, shortCacheWrite = 0 } = tokens
    const undated = cacheWrite - tokens.longCacheWrite - shortCacheWrite
    const requested = undated > 0 && this.#asksForLongCache?.() === true ? undated : 0
    const longCacheWrite = Math.min(tokens.longCacheWrite + requested, cacheWrite)
    const isLong = (contextTokens ?? input + cachedInput + cacheWrite) > prices.longContextTokens
    const inputFactor = isLong ? times(this.#factor, prices.factors.long_context_input) : this.#factor
    const outputFactor = isLong ? times(this.#factor, prices.factors.long_context_output) : this.#factor
    const add = (unit: PriceUnit, quantity: number, price: Micros, factor: number) => {
      if (quantity === 0) return
      const priceMicros = micros(times(price, factor))
      this.lines.push(
        of === undefined ? { unit, quantity, priceMicros } : { unit, quantity, priceMicros, of },
      )
    }
    add('input_token', input, prices.inputMicros, inputFactor)
    add('cached_input_token', cachedInput, prices.cachedInputMicros, inputFactor)
    add('cache_write_token', cacheWrite - longCacheWrite, prices.cacheWriteMicros, inputFactor)
    add('long_cache_write_token', longCacheWrite, prices.longCacheWriteMicros, inputFactor)
    add('output_token', output, prices.outputMicros, outputFactor)
  }
}

/** Returns the product of the factors of tier, speed and region, in millionths. Adds a value without a price to `unpriced`. */
export function servedFactor({ factors }: TextPrices, served: Surcharges, unpriced: string[] = []): number {
  const { tier, speed, region } = served
  const factorOf = (kind: string, value: string | undefined, unitOf: typeof tierFactor) => {
    if (value === undefined) return UNCHANGED
    const unit = unitOf(value)
    if (unit !== undefined) return factors[unit]
    unpriced.push(`${kind} ${value}`)
    return Math.max(factors.priority_tier, factors.fast_speed, factors.flex_tier)
  }
  const both = times(factorOf('tier', tier, tierFactor), factorOf('speed', speed, speedFactor))
  return region === undefined ? both : times(both, factors.regional_inference)
}

function dearestCall({ callMicros }: TextPrices): { unit: CallUnit; priceMicros: Micros } {
  const all = CALL_UNITS.map((unit) => ({ unit, priceMicros: callMicros[unit] }))
  return all.reduce((dearest, call) => (call.priceMicros > dearest.priceMicros ? call : dearest))
}

/** Upper bound of prices, far above those of a catalog. A larger price times its quantity could leave the range of micros. */
const PRICE_MAX = 1_000_000_000_000_000n

/** `factor` is in millionths. */
export function times(amount: number, factor: number): number {
  if (factor === UNCHANGED) return amount
  if (amount === UNCHANGED) return factor
  const product = (BigInt(amount) * BigInt(factor) + 500_000n) / 1_000_000n
  return Number(product > PRICE_MAX ? PRICE_MAX : product)
}

const TIER_FACTORS: ReadonlyMap<string, FactorUnit> = new Map([
  ['priority', 'priority_tier'],
  ['fast', 'priority_tier'],
  ['flex', 'flex_tier'],
])

/** undefined: the catalog has no name for the tier. */
export function tierFactor(tier: string): FactorUnit | undefined {
  return TIER_FACTORS.get(tier)
}

export function speedFactor(speed: string): FactorUnit | undefined {
  return speed === 'fast' ? 'fast_speed' : undefined
}
