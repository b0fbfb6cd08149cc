import type { ScriptWord } from '../tasks/script-words.ts'
import type { VendorBAnswer } from './reply.ts'

/** The refusal that the prompt asks for; undefined: none. */
export function scriptedRefusal(words: readonly ScriptWord[]): VendorBAnswer | undefined {
  return REFUSALS.find(([word]) => words.includes(word))?.[1]
}

/** Codes that HTTP does not know come with 200. */
const REFUSALS: readonly (readonly [ScriptWord, VendorBAnswer])[] = [
  ['moderate', { code: 482, status: 'error', msg: 'The prompt did not pass the safety check' }],
  ['busy', { httpStatus: 429, code: 429, status: 'error', msg: 'Too many requests' }],
  ['concurrency', { code: 481, status: 'error', msg: 'Too many tasks at once' }],
  ['overdue', { code: 480, status: 'error', msg: 'Not enough credits' }],
  ['closed', { httpStatus: 401, code: 401, status: 'error', msg: 'The model is not open for this key' }],
  ['broken', { httpStatus: 500, code: 500, status: 'error', msg: 'Internal error' }],
]
