import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { hasAny } from '../hub/has-any.ts'
import type { LossName } from '../hub/losses.ts'

/** Adds what a finished item says beside its text, for which our events have no place. */
export function addLossesOfItem({ type, content }: JsonObject, losses: Set<LossName>): void {
  if (type !== 'message' || !Array.isArray(content)) return
  for (const part of content) {
    if (!isJsonObject(part)) continue
    if (hasAny(part.annotations)) losses.add('citations')
    if (hasAny(part.logprobs)) losses.add('logprobs')
  }
}
