import type { Effort } from '../hub/text-request.ts'

/**
 * This wire has no budget of thinking tokens, only words of effort. The buckets:
 *
 * | tokens at most | effort |
 * |---|---|
 * | 0 | none |
 * | 4,096 | low |
 * | 16,384 | medium |
 * | more | high |
 *
 * The words above `high` are left to clients that say them: not every model knows them.
 */
export function effortOfBudget(tokens: number): Effort {
  if (tokens <= 0) return 'none'
  if (tokens <= 4_096) return 'low'
  return tokens <= 16_384 ? 'medium' : 'high'
}
