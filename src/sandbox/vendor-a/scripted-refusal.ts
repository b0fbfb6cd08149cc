import type { ScriptWord } from '../tasks/script-words.ts'
import type { VendorAError } from './error-reply.ts'

/** The refusal that the prompt asks for; undefined: none. */
export function scriptedRefusal(words: readonly ScriptWord[]): VendorAError | undefined {
  return REFUSALS.find(([word]) => words.includes(word))?.[1]
}

const REFUSALS: readonly (readonly [ScriptWord, VendorAError])[] = [
  [
    'moderate',
    {
      status: 400,
      code: 'InputTextSensitiveContentDetected',
      message: 'The request failed because the input text may contain sensitive information.',
    },
  ],
  [
    'busy',
    {
      status: 429,
      code: 'RateLimitExceeded',
      message: 'The request failed because too many requests came in the last minute.',
      headers: { 'retry-after': '1' },
    },
  ],
  [
    'concurrency',
    {
      status: 429,
      code: 'QueueLimitExceeded',
      message: 'The request failed because too many tasks of this account are waiting.',
      headers: { 'retry-after': '5' },
    },
  ],
  [
    'overdue',
    {
      status: 403,
      code: 'AccountOverdueError',
      message: 'The request failed because your account has an overdue balance.',
    },
  ],
  [
    'closed',
    {
      status: 404,
      code: 'ModelNotOpen',
      message: 'Your account has not activated the model.',
    },
  ],
  [
    'broken',
    {
      status: 500,
      code: 'InternalServiceError',
      message: 'The service encountered an unexpected internal error.',
    },
  ],
]
