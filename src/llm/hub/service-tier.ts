import type { LossName } from './losses.ts'

/** The class of service, if the vendor's wire knows the word. `standard_only` is how the messages dialect says "default". */
export function serviceTier(
  tier: string | undefined,
  known: readonly string[],
  losses: Set<LossName>,
): string | undefined {
  if (tier === undefined || known.includes(tier)) return tier
  if (tier === 'standard_only') return 'default'
  losses.add('service_tier')
  return undefined
}
