/** Disjoint counts of all input and output. */
export interface TextTokens {
  input: number
  cachedInput: number
  cacheWrite: number
  output: number
}

/** Surcharges of a reply beside its tokens, in the vendor's terms. A member that is left out does not apply. */
export interface Surcharges {
  /** Cache writes with a lifetime of an hour or longer. */
  longCacheWrite?: number
  /** Cache writes kept for five minutes. Writes of unknown lifetime are long if the request asked for long ones. */
  shortCacheWrite?: number
  /** The largest input of one iteration, where a reply had several. */
  contextTokens?: number
  tier?: string
  speed?: string
  /** Region that served the reply, if the request asked for one. */
  region?: string
  /** Number of uses of each hosted tool: by its price unit, or by the vendor's name where it has none. */
  calls?: Readonly<Record<string, number>>
  /** Tokens of other models of the vendor. The reply's own counts do not include them. */
  others?: readonly OtherModelTokens[]
}

export interface OtherModelTokens extends TextTokens {
  /** The vendor's id. */
  model: string
  longCacheWrite: number
  shortCacheWrite?: number
}

/** Tiers and speeds at the plain price; some of them exist at one vendor only. */
const STANDARD_TIERS: ReadonlySet<string> = new Set([
  ...['standard', 'standard_only', 'default', 'auto', 'on_demand', 'scale', 'batch'],
])

const NO_REGIONS: ReadonlySet<string> = new Set(['global', 'not_available'])

/** The tier, if it changes the price. */
export function surchargedTier(tier: unknown): string | undefined {
  return valueOutside(STANDARD_TIERS, tier)
}

export function surchargedSpeed(speed: unknown): string | undefined {
  return valueOutside(STANDARD_TIERS, speed)
}

export function surchargedRegion(region: unknown): string | undefined {
  return valueOutside(NO_REGIONS, region)
}

function valueOutside(plain: ReadonlySet<string>, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const lower = value.toLowerCase()
  return plain.has(lower) ? undefined : lower
}
