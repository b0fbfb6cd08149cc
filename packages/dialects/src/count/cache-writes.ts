import type { Surcharges } from '../canonical/usage.ts'
import { isJsonObject } from '../json/json-object.ts'
import { countOf } from './count-of.ts'

/** Tokens that a vendor wrote to its cache for five minutes, and for longer. */
export interface CacheWriteSplit {
  short: number
  long: number
}

export const UNSPLIT: CacheWriteSplit = { short: 0, long: 0 }

/**
 * Splits a vendor's total of cache writes by lifetime: all that is not reported for five minutes is long. undefined: no
 * part is above zero, so the lifetime is unknown.
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
 * Surcharges for a total of cache writes, by the parts that were last reported. Writes since then count as long if long
 * writes were reported; otherwise only the request tells their lifetime. undefined: no part was reported.
 */
export function dateCacheWrites(
  total: number,
  { short, long }: CacheWriteSplit,
): Pick<Surcharges, 'longCacheWrite' | 'shortCacheWrite'> | undefined {
  const longCacheWrite = long > 0 ? Math.max(0, total - short) : 0
  if (longCacheWrite === 0) return short === 0 ? undefined : { shortCacheWrite: short }
  return short === 0 ? { longCacheWrite } : { longCacheWrite, shortCacheWrite: short }
}
