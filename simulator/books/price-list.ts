import type { VendorUsage } from '../actors/text-wire.ts'

/** Price of a million tokens, in micros. */
export interface TextPrice {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
}

/** The model whose price applies when another model served the request. */
export type FallbackRule = 'lower' | 'asked' | 'served'

interface Version {
  fromMs: number
  price: TextPrice
  rule: FallbackRule
}

/** Time for which a replica may use an old price, plus that of a slow answer of the store. */
const SEEN_WITHIN_MS = 8_000

/**
 * The operator's price list, with its history. A cost follows the documents: usage times its price, summed up, and
 * rounded once, half up.
 */
export class PriceList {
  readonly #versions = new Map<string, Version[]>()
  /** Replicas keep their known prices while the store is unreachable. */
  readonly #outages: { fromMs: number; untilMs: number }[] = []

  set(model: string, price: TextPrice, { atMs, rule }: { atMs: number; rule: FallbackRule }): void {
    const versions = this.#versions.get(model) ?? []
    this.#versions.set(model, [...versions, { fromMs: atMs, price, rule }])
  }

  outage(fromMs: number, untilMs: number): void {
    this.#outages.push({ fromMs, untilMs })
  }

  /** Every amount that may be charged for this use by a request that ran in this period. */
  costsOf(
    { asked, served }: { asked: string; served: string },
    usage: VendorUsage,
    span: { fromMs: number; untilMs: number },
  ): number[] {
    const costsServed = this.#versionsIn(served, span).map(({ price }) => costOf(usage, price))
    if (asked === served) return costsServed
    return this.#versionsIn(asked, span).flatMap(({ price, rule }) => {
      const atAsked = costOf(usage, price)
      if (rule === 'asked') return [atAsked]
      return rule === 'served' ? costsServed : costsServed.map((cost) => Math.min(cost, atAsked))
    })
  }

  #versionsIn(model: string, { fromMs, untilMs }: { fromMs: number; untilMs: number }): Version[] {
    const sinceMs = this.#knownSince(fromMs)
    const versions = this.#versions.get(model) ?? []
    return versions.filter(({ fromMs: begins }, index) => {
      const ends = versions[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY
      return begins <= untilMs && ends >= sinceMs
    })
  }

  /** Maximum cost of this number of tokens. */
  costMaxOf(model: string, tokens: { input: number; output: number }): number {
    const prices = this.#versions.get(model) ?? []
    const costs = prices.map(({ price: { input, cachedInput, cacheWrite, output } }) =>
      costOf(
        { input: tokens.input, output: tokens.output, cachedInput: 0, cacheWrite: 0 },
        { input: Math.max(input, cachedInput, cacheWrite), output, cachedInput, cacheWrite },
      ),
    )
    return Math.max(0, ...costs)
  }

  #knownSince(fromMs: number): number {
    let sinceMs = fromMs - SEEN_WITHIN_MS
    for (const outage of this.#outages.toReversed())
      if (outage.untilMs >= sinceMs && outage.fromMs <= fromMs)
        sinceMs = Math.min(sinceMs, outage.fromMs - SEEN_WITHIN_MS)
    return sinceMs
  }
}

const MILLION = 1_000_000n

function costOf(usage: VendorUsage, price: TextPrice): number {
  const sum =
    BigInt(usage.input) * BigInt(price.input) +
    BigInt(usage.cachedInput) * BigInt(price.cachedInput) +
    BigInt(usage.cacheWrite) * BigInt(price.cacheWrite) +
    BigInt(usage.output) * BigInt(price.output)
  return Number((sum + MILLION / 2n) / MILLION)
}
