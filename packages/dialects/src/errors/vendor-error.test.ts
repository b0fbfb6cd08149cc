import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { readVendorError } from './vendor-error.ts'

test.each<[what: string, body: unknown, message: string, code: string | undefined]>([
  [
    'messages',
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' },
    'Overloaded',
    'overloaded_error',
  ],
  [
    'responses and chat',
    {
      error: {
        message: 'Too long.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
    'Too long.',
    'context_length_exceeded',
  ],
  ['a null code', { error: { message: 'No.', type: 'server_error', code: null } }, 'No.', 'server_error'],
  ['a number as its code', { error: { message: 'Slow down', code: 429 } }, 'Slow down', '429'],
  [
    'a failed response',
    { response: { error: { code: 'server_error', message: 'Oh.' } } },
    'Oh.',
    'server_error',
  ],
  [
    'an error event, flat',
    { type: 'error', code: 'rate_limit', message: 'Wait', param: null },
    'Wait',
    'rate_limit',
  ],
  ['a string in error', { error: 'model not loaded' }, 'model not loaded', undefined],
  ['plain text', 'upstream connect error', 'upstream connect error', undefined],
  ['a detail', { detail: 'Not authenticated' }, 'Not authenticated', undefined],
  ['a list of details', { detail: [{ loc: ['body'], msg: 'field required' }] }, 'field required', undefined],
  [
    'details in a message',
    { object: 'error', message: { detail: [{ loc: ['body'], msg: 'Extra inputs' }] }, type: 'invalid' },
    'Extra inputs',
    'invalid',
  ],
  ['a message in a message', { error: { message: { message: 'Oh.' } } }, 'Oh.', undefined],
  ['a list of texts', { errors: ['Oh.', 'No.'] }, 'Oh.', undefined],
  ['a list', [{ error: { code: 400, message: 'Bad' } }], 'Bad', '400'],
  ['a page for people', '<!DOCTYPE html><h1>502</h1>', 'The provider gave no reason.', undefined],
  ['nothing', undefined, 'The provider gave no reason.', undefined],
  ['null in error', { error: null }, 'The provider gave no reason.', undefined],
  ['an empty message', { error: { message: '', code: 'x' } }, 'The provider gave no reason.', 'x'],
  ['a message that is no text', { error: { message: { a: 1 } } }, 'The provider gave no reason.', undefined],
])('%s', (_what, body, message, code) => {
  expect(readVendorError(body)).toEqual({ message, code })
})

test.each([
  ['It failed. Request id: 0217abc-44', 'It failed.'],
  ['It failed (request_id=req_011CabZ9).', 'It failed'],
  [
    'Contact us and include the request ID req_9f8e7d6c5b in your message.',
    'Contact us and include the in your message.',
  ],
  ['See req_9f8e7d6c5b.', 'See ….'],
  ['Incorrect API key provided: sk-proj-abCD1234efGH5678.', 'Incorrect API key provided: ….'],
  [
    'Incorrect API key provided: sk-ab******************wxyz. You can',
    'Incorrect API key provided: …. You can',
  ],
  ['Bad header Authorization: Bearer abc.def-ghi', 'Bad header Authorization: Bearer …'],
  ['no route to https://user:pa55@host.example/v1?sig=abc', 'no route to https://host.example/v1'],
  [
    'cannot fetch https://cdn.example/a.png?X-Signature=77aa&e=1, try',
    'cannot fetch https://cdn.example/a.png try',
  ],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc is old', 'token … is old'],
  ['organization 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b is over', 'organization … is over'],
  ['two\r\nlines\u202E here', 'two lines here'],
])('%j becomes %j', (reported, message) => {
  expect(readVendorError({ error: { message: reported } }).message).toBe(message)
})

test.each([
  "This model's maximum context length is 128000 tokens. However, you requested 130001 tokens.",
  "Invalid schema for function 'get_weather': In context=('properties', 'location'), 'type' is not of type 'object'.",
  'messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01ABC.',
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  'prompt_cache_key and key-value pairs, token_count, sk-learn',
])('%j stays as it is', (reported) => {
  expect(readVendorError({ error: { message: reported } }).message).toBe(reported)
})

test.each([
  ['lists', '[', ']'],
  ['findings', '{"errors":[', ']}'],
  ['errors', '{"error":', '}'],
  ['messages', '{"message":', '}'],
  ['details', '{"message":{"detail":[', ']}}'],
])('%s nested 100,000 deep are read without a stack overflow', (_, opening, closing) => {
  const body: unknown = JSON.parse(`${opening.repeat(100_000)}{}${closing.repeat(100_000)}`)
  expect(readVendorError(body).message).toBe('The provider gave no reason.')
})

test('a message is short, and reading it never fails', () => {
  expect(readVendorError('水'.repeat(100_000)).message).toHaveLength(1_000)
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.record({ error: fc.jsonValue() })), (body) => {
      const { message } = readVendorError(body)
      expect(message.length).toBeGreaterThan(0)
      expect(message).not.toMatch(/[\r\n]/)
    }),
  )
})

test('given secrets are removed in any form, except very short ones', () => {
  const hides = ['vendor.example', 'https://vendor.example/v1', 'plainword', 'm']
  const words = 'Ask https://vendor.example/v1 or Vendor.Example, never vendorXexample, with PLAINWORD, more.'
  expect(readVendorError({ message: words }, { hides }).message).toBe(
    'Ask … or …, never vendorXexample, with …, more.',
  )
  expect(readVendorError({ message: 'plainword' }, { hides }).message).toBe('…')
  expect(readVendorError({ message: 'plainword' }).message).toBe('plainword')
})
