import type { VendorUsage } from '../actors/text-wire.ts'

/** What a million tokens cost, in micros. */
export interface TextPrice {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
}

/** Whose price a request costs that another model served. */
export type FallbackRule = 'lower' | 'asked' | 'served'

interface Version {
  fromMs: number
  price: TextPrice
  rule: FallbackRule
}

/** A replica may go on with an old price for so long, plus what a slow answer of the store takes. */
const SEEN_WITHIN_MS = 8_000

/**
 * The price list as the operator wrote it, with its history. Written from the documents: what was used times its price,
 * together, and rounded once, half up.
 */
export class PriceList {
  readonly #versions = new Map<string, Version[]>()
  /** While the store is unreachable replicas keep to what they know. */
  readonly #outages: { fromMs: number; untilMs: number }[] = []

  set(model: string, price: TextPrice, { atMs, rule }: { atMs: number; rule: FallbackRule }): void {
    const versions = this.#versions.get(model) ?? []
    this.#versions.set(model, [...versions, { fromMs: atMs, price, rule }])
  }

  outage(fromMs: number, untilMs: number): void {
    this.#outages.push({ fromMs, untilMs })
  }

  /** Every amount that may be charged for this use by a request that ran from then to then. */
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

  /** The most that so many tokens can have cost. */
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
