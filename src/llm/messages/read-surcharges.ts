import {
  type Surcharges,
  surchargedRegion,
  surchargedSpeed,
  surchargedTier,
} from '../../domain/billing/surcharges.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { readToolCounts } from '../tools/read-tool-counts.ts'

/** What a usage object says beside its counts; undefined in the usual case. */
export function readSurcharges(usage: JsonObject): Surcharges | undefined {
  const tier = surchargedTier(usage.service_tier)
  const speed = surchargedSpeed(usage.speed)
  const region = surchargedRegion(usage.inference_geo)
  const longCacheWrite = longCacheWriteOf(usage)
  const calls = readToolCounts(usage.server_tool_use)
  const found: Surcharges = {
    ...(tier === undefined ? {} : { tier }),
    ...(speed === undefined ? {} : { speed }),
    ...(region === undefined ? {} : { region }),
    ...(longCacheWrite === 0 ? {} : { longCacheWrite }),
    ...(calls === undefined ? {} : { calls }),
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** All that is not said to be kept for five minutes: other times are dearer. */
export function longCacheWriteOf({
  cache_creation: parts,
  cache_creation_input_tokens: total,
}: JsonObject): number {
  if (!isJsonObject(parts)) return 0
  let sum = 0
  for (const count of Object.values(parts)) if (typeof count === 'number' && count > 0) sum += count
  const { ephemeral_5m_input_tokens: short } = parts
  const all = typeof total === 'number' ? Math.max(total, sum) : sum
  return Math.max(0, Math.trunc(all - (typeof short === 'number' ? short : 0)))
}
