import type { RequestTarget } from './codec.ts'
import type { LossName } from './losses.ts'
import type { Effort, ReasoningOptions } from './request.ts'

/** The effort for a dialect without budgets of thinking. undefined: the model's default stays. */
export function effortOf(options: ReasoningOptions): Effort | undefined {
  return (
    options.effort ?? (options.budgetTokens === undefined ? undefined : effortOfBudget(options.budgetTokens))
  )
}

/**
 * The buckets:
 *
 * | tokens at most | effort |
 * |---|---|
 * | 0 | not sent |
 * | 4,096 | low |
 * | 16,384 | medium |
 * | more | high |
 *
 * Efforts above `high`, and `none`, are sent only for clients that name them, because many models refuse them. A client
 * that switched thinking off by its budget gets the model's default.
 */
function effortOfBudget(tokens: number): Effort | undefined {
  if (tokens <= 0) return undefined
  if (tokens <= 4_096) return 'low'
  return tokens <= 16_384 ? 'medium' : 'high'
}

/** Whether the client switched reasoning off, by effort or by budget. */
export function isSwitchedOff({ effort, budgetTokens }: ReasoningOptions): boolean {
  return effort === 'none' || budgetTokens === 0
}

/** The reasoning options that the model takes. A model without reasoning gets none; an effort or budget is then lost. */
export function reasoningFor(
  { reasons }: RequestTarget,
  options: ReasoningOptions | undefined,
  losses: Set<LossName>,
): ReasoningOptions | undefined {
  if (reasons || options === undefined) return options
  if ((options.effort ?? 'none') !== 'none' || (options.budgetTokens ?? 0) > 0) losses.add('reasoning_effort')
  return undefined
}

/** The service tier, if the vendor's dialect has it. `standard_only` of the messages dialect becomes `default`. */
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
