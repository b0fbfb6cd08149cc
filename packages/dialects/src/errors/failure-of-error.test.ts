import { expect, test } from 'vitest'
import { failureOfError } from './failure-of-error.ts'

test.each<[body: unknown, kind: string]>([
  [{ type: 'error', error: { type: 'overloaded_error', message: 'm' } }, 'busy'],
  [{ type: 'error', error: { type: 'timeout_error', message: 'm' } }, 'too-late'],
  [{ type: 'error', error: { type: 'request_too_large', message: 'm' } }, 'refused'],
  [{ type: 'error', error: { type: 'api_error', message: 'm' } }, 'vendor'],
  [{ type: 'error', code: 'rate_limit_exceeded', message: 'm', param: null }, 'busy'],
  [{ status: 'failed', error: { code: 'invalid_prompt', message: 'm' } }, 'refused'],
  [{ error: { code: 'server_error', message: 'm' } }, 'vendor'],
  [{ error: { code: 429, message: 'm' } }, 'busy'],
  [{ error: { code: 'rate_limit_exceeded', type: 'invalid_request_error', message: 'm' } }, 'busy'],
  [{ error: { code: null, type: 'invalid_request_error', message: 'm' } }, 'refused'],
  [{ object: 'error', type: 'BadRequestError', code: 400, message: 'm' }, 'refused'],
])('%j is %s', (body, kind) => {
  expect(failureOfError(body)).toEqual({ kind, message: 'm' })
})

test.each([
  { error: { code: 'context_length_exceeded', message: 'm' } },
  { type: 'error', code: 'context_length_exceeded', message: 'm', param: null },
  { response: { status: 'failed', error: { code: 'context_length_exceeded', message: 'm' } } },
])('%j complains about the length of the prompt', (body) => {
  expect(failureOfError(body)).toEqual({ kind: 'too-long', message: 'prompt is too long: m' })
})

test('an error with code 429 is read as busy, even if its message is about the context window', () => {
  const error = { code: 429, message: 'Requests exceed the context window of this deployment.' }
  expect(failureOfError({ error })).toMatchObject({ kind: 'busy' })
})

test('an empty error is a failure too', () => {
  expect(failureOfError(undefined)).toEqual({ kind: 'vendor', message: 'The provider gave no reason.' })
  expect(failureOfError({ error: 'gone' })).toEqual({ kind: 'vendor', message: 'gone' })
})

test('the message is safe to show to a client', () => {
  const key = `sk-${'a1B2'.repeat(8)}`
  const { message } = failureOfError({ type: 'error', error: { type: 'api_error', message: `Bad ${key}` } })
  expect(message).not.toContain(key)
})
