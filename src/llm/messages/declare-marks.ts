import type { JsonObject } from '../../domain/json-object.ts'
import { hasAny } from '../hub/has-any.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'

/** What a block may bear beside its content: that it is to be cached, and where its statements come from. */
export function declareMarks({ cache_control: mark, citations }: JsonObject, losses: Set<LossName>): void {
  if (!isAbsent(mark)) losses.add('cache_control')
  if (hasAny(citations)) losses.add('citations')
}
