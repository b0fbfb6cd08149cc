import { expect, test } from 'vitest'
import { overflowMessage } from './overflow.ts'

test.each<[what: string, words: string, reported: string]>([
  [
    'how long the messages are',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
    'prompt is too long: 130012 tokens > 128000 maximum',
  ],
  [
    'messages that alone are too long',
    "This model's maximum context length is 8192 tokens. However, you requested 8713 tokens (8201 in the messages, 512 in the completion).",
    'prompt is too long: 8201 tokens > 8192 maximum',
  ],
  [
    'room that the answer lacks',
    "Requested token count exceeds the model's maximum context length of 262144 tokens. You requested a total of 262462 tokens: 230462 tokens from the input messages and 32000 tokens for the completion.",
    'input length and `max_tokens` exceed context limit: 230462 + 32000 > 262144',
  ],
  [
    'the bound of the answer',
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 801 input tokens (32000 > 32768 - 801).",
    'input length and `max_tokens` exceed context limit: 801 + 32000 > 32768',
  ],
  [
    'both counts',
    "You passed 4,000 input tokens and requested 100 output tokens. However, the model's context length is only 4,096 tokens.",
    'input length and `max_tokens` exceed context limit: 4000 + 100 > 4096',
  ],
  [
    'the length of the input',
    "The input (345516 tokens) is longer than the model's context length (262144 tokens).",
    'prompt is too long: 345516 tokens > 262144 maximum',
  ],
  [
    'the token count',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'prompt is too long: 1200000 tokens > 1048576 maximum',
  ],
])('counts come in the form that clients read: %s', (_what, words, reported) => {
  expect(overflowMessage({ code: undefined, message: words })).toBe(`${reported} (${words})`)
})

test.each([
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'the request exceeds the available context size, try increasing it',
  'Please reduce the length of the messages or completion.',
  'Context length exceeded.',
  'Input is too long for requested model.',
  'Invalid request: Your request exceeded model token limit: 262144',
  'Input token length too long: 70000',
  'Prompt exceeds max length',
  '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 258048]',
  'tokens in request more than max tokens allowed',
  'The input token count exceeds the maximum number of tokens allowed (1048576).',
  'invalid params, context window exceeds limit (2013)',
  'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
])('without counts the message stays: %s', (words) => {
  expect(overflowMessage({ code: undefined, message: words })).toBe(`prompt is too long: ${words}`)
})

test.each([
  'prompt is too long: 205000 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000, decrease it',
])('a message that clients recognize stays: %s', (words) => {
  expect(overflowMessage({ code: 'invalid_request_error', message: words })).toBe(words)
})

test('the code alone is enough', () => {
  expect(overflowMessage({ code: 'context_length_exceeded', message: 'No.' })).toBe('prompt is too long: No.')
})

test.each([
  "Unsupported parameter: 'context_window'.",
  'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
  "Invalid 'user': string too long. Expected a string with maximum length 64.",
  'The maximum number of images is 20.',
  'Image input is too long on one side: at most 8000 pixels.',
  'max_tokens must be less than the maximum context length of 8192.',
  'Limit 30000 tokens per min. Please reduce the length of the messages.',
  'Rate limit reached: 30000 tokens per minute.',
  'temperature: must be at most 2',
  'Range of temperature should be [0, 2]',
  'Range of max_tokens should be [1, 8192]',
  'Range of input length of `stop` is unknown',
  'max_tokens exceeds the maximum number of tokens allowed (8192).',
  'The input token count is not available for this model.',
  'Trying to keep the first connection open failed.',
  '',
])('other errors are not an overflow: %s', (words) => {
  expect(overflowMessage({ code: 'invalid_value', message: words })).toBeUndefined()
})
