import { isSwitchedOff } from '../hub/effort-of.ts'
import type { TextRequest } from '../hub/text-request.ts'

/** `seal`: the client wants to send it back, and not to read it. */
export type ShownReasoning = 'all' | 'seal' | 'nothing'

/**
 * How much of the reasoning this client is shown. Some vendors tell theirs whether or not they were asked to: whoever
 * switched it off must not find it in front of the text. Who says nothing about it gets what there is.
 */
export function shownReasoning({ reasoning }: TextRequest): ShownReasoning {
  if (reasoning === undefined) return 'all'
  if (isSwitchedOff(reasoning)) return 'nothing'
  return reasoning.summary === 'none' ? 'seal' : 'all'
}
