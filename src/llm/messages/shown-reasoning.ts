import type { TextRequest } from '../hub/text-request.ts'

/** `seal`: the client wants to send it back, and not to read it. */
export type ShownReasoning = 'all' | 'seal' | 'nothing'

/**
 * How much of the reasoning this client is shown. Some vendors tell theirs whether or not they were asked to: whoever
 * switched it off must not find it in front of the text.
 */
export function shownReasoning({ reasoning }: TextRequest): ShownReasoning {
  if (reasoning?.budgetTokens === 0) return 'nothing'
  return reasoning?.summary === 'none' ? 'seal' : 'all'
}
