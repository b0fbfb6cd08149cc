import { TextProblem } from '../problem.ts'
import type { Script } from './read-script.ts'

/**
 * Returns the refusal that a word of the prompt asks for; undefined: no word asks for one. A `[fail N]` lets a stream
 * begin first.
 */
export function scriptedRefusal({ words }: Script, { stream }: { stream: boolean }): TextProblem | undefined {
  if (words.has('busy')) {
    const headers = { 'retry-after': String(words.get('busy') ?? 1) }
    return new TextProblem('busy', 'Too many requests at once.', { headers })
  }
  if (words.has('overloaded')) return new TextProblem('overloaded', 'The model has no room now.')
  if (words.has('too-long')) return new TextProblem('too-long', OVERFLOW)
  if (words.has('fail') && (words.get('fail') === undefined || !stream)) {
    return new TextProblem('broken', FAILURE)
  }
  return undefined
}

const OVERFLOW =
  "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens."

export const FAILURE = 'The model broke down.'
