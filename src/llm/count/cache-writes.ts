import type { Surcharges } from '../../domain/billing/surcharges.ts'
import { isJsonObject } from '../../domain/json-object.ts'
import { countOf } from './count-of.ts'

/** The tokens that a vendor says it wrote to its cache for five minutes, and for longer. */
export interface CacheWriteSplit {
  short: number
  long: number
}

export const UNSPLIT: CacheWriteSplit = { short: 0, long: 0 }

/**
 * The parts of a vendor's total, by how long its cache keeps them: all that is not said to be kept for five minutes is
 * long. undefined: no part is above zero, so that nothing is known about how long.
 */
export function splitCacheWrites(parts: unknown, total: unknown): CacheWriteSplit | undefined {
  if (!isJsonObject(parts)) return undefined
  let sum = 0
  for (const count of Object.values(parts)) sum += countOf(count) ?? 0
  if (sum === 0) return undefined
  const short = countOf(parts.ephemeral_5m_input_tokens) ?? 0
  return { short, long: Math.max(countOf(total) ?? 0, sum) - short }
}

/**
 * What is said about a total whose parts were `split` when they were last said. What has grown since is long where long
 * writes were seen; else only the request tells how long it is kept. undefined: nothing is said.
 */
export function dateCacheWrites(
  total: number,
  { short, long }: CacheWriteSplit,
): Pick<Surcharges, 'longCacheWrite' | 'shortCacheWrite'> | undefined {
  const longCacheWrite = long > 0 ? Math.max(0, total - short) : 0
  if (longCacheWrite === 0) return short === 0 ? undefined : { shortCacheWrite: short }
  return short === 0 ? { longCacheWrite } : { longCacheWrite, shortCacheWrite: short }
}
