import type { FactorUnit } from '../catalog/price-row.ts'
import type { TextTokens } from './text-prices.ts'

/** What made a reply dearer than its tokens alone, in the vendor's words. What is left out did not happen. */
export interface Surcharges {
  /** Of the tokens that were written to a cache: those that it keeps for an hour or longer. */
  longCacheWrite?: number
  /** Tokens that it keeps for five minutes. The rest is not dated: it is long where the request asked for that. */
  shortCacheWrite?: number
  /** The largest input of one iteration, where a reply had several. */
  contextTokens?: number
  tier?: string
  speed?: string
  /** Where it was served, if that was asked for. */
  region?: string
  /** How often each hosted tool was used: by its price unit, or by the vendor's name where it has none. */
  calls?: Readonly<Record<string, number>>
  /** Tokens of other models of the vendor that took part. They are not among the reply's own. */
  others?: readonly OtherModelTokens[]
}

export interface OtherModelTokens extends TextTokens {
  /** The vendor's id. */
  model: string
  longCacheWrite: number
  shortCacheWrite?: number
}

/** Tiers that cost the plain price; some are the first tier of one vendor alone. */
const STANDARD_TIERS: ReadonlySet<string> = new Set([
  'standard',
  'standard_only',
  'default',
  'auto',
  'on_demand',
  'scale',
  'batch',
])

const TIER_FACTORS: ReadonlyMap<string, FactorUnit> = new Map([
  ['priority', 'priority_tier'],
  ['fast', 'priority_tier'],
  ['flex', 'flex_tier'],
])

const NO_REGIONS: ReadonlySet<string> = new Set(['global', 'not_available'])

/** The word where it is one that changes the price. */
export function surchargedTier(word: unknown): string | undefined {
  return wordOutside(STANDARD_TIERS, word)
}

export function surchargedSpeed(word: unknown): string | undefined {
  return wordOutside(STANDARD_TIERS, word)
}

export function surchargedRegion(word: unknown): string | undefined {
  return wordOutside(NO_REGIONS, word)
}

/** undefined: the catalog has no name for it. */
export function tierFactor(tier: string): FactorUnit | undefined {
  return TIER_FACTORS.get(tier)
}

export function speedFactor(speed: string): FactorUnit | undefined {
  return speed === 'fast' ? 'fast_speed' : undefined
}

function wordOutside(plain: ReadonlySet<string>, word: unknown): string | undefined {
  if (typeof word !== 'string' || word === '') return undefined
  const lower = word.toLowerCase()
  return plain.has(lower) ? undefined : lower
}
