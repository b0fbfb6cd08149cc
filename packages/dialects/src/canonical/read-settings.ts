import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { textOf } from '../values/values.ts'
import { invalidParameter } from './bad-parameter.ts'
import type { LossName } from './losses.ts'
import { EFFORTS, type Effort } from './request.ts'

/** Refuses unknown efforts: no other vendor would know them. */
export function readEffort(effort: unknown, param: string): Effort | undefined {
  if (typeof effort !== 'string') return undefined
  const known = EFFORTS.find((one) => one === effort)
  if (known !== undefined) return known
  throw invalidParameter(param, `must be one of ${EFFORTS.join(', ')} for this model`)
}

/** `user` is the older name of `safety_identifier`. */
export function readUserId({ safety_identifier: identifier, user }: JsonObject): string | undefined {
  return textOf(identifier) || textOf(user) || undefined
}

/** "auto" asks for the vendor's default. */
export function readServiceTier(tier: unknown): string | undefined {
  return tier === 'auto' ? undefined : textOf(tier) || undefined
}

export function readMetadata(
  metadata: unknown,
  losses: Set<LossName>,
): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(metadata)) return undefined
  const entries = Object.entries(metadata)
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  if (texts.length < entries.length) losses.add('metadata')
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}
