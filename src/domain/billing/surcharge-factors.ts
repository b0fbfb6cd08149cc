import type { FactorUnit } from '../catalog/price-row.ts'

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
