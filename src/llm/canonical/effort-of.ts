import type { RequestTarget } from './codec.ts'
import type { LossName } from './losses.ts'
import type { Effort, ReasoningOptions } from './request.ts'

/** The word of effort for a wire that has no budgets of thinking. undefined: none is said, and the model's own stays. */
export function effortOf(wish: ReasoningOptions): Effort | undefined {
  return wish.effort ?? (wish.budgetTokens === undefined ? undefined : effortOfBudget(wish.budgetTokens))
}

/**
 * The buckets:
 *
 * | tokens at most | effort |
 * |---|---|
 * | 0 | not said |
 * | 4,096 | low |
 * | 16,384 | medium |
 * | more | high |
 *
 * The words above `high` are left to clients that say them, because not every model knows them. So is `none`, which most
 * models refuse: a client that only switched its own kind of thinking off asks for no more than usual.
 */
function effortOfBudget(tokens: number): Effort | undefined {
  if (tokens <= 0) return undefined
  if (tokens <= 4_096) return 'low'
  return tokens <= 16_384 ? 'medium' : 'high'
}

/** Whether the client asked for none at all, in one dialect's words or the other's. */
export function isSwitchedOff({ effort, budgetTokens }: ReasoningOptions): boolean {
  return effort === 'none' || budgetTokens === 0
}

/** The reasoning options that the model takes. A model without reasoning gets none; an effort is then a loss. */
export function reasoningFor(
  { reasons }: RequestTarget,
  wish: ReasoningOptions | undefined,
  losses: Set<LossName>,
): ReasoningOptions | undefined {
  if (reasons || wish === undefined) return wish
  if ((wish.effort ?? 'none') !== 'none' || (wish.budgetTokens ?? 0) > 0) losses.add('reasoning_effort')
  return undefined
}

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
