import { expect, test } from 'vitest'
import { failureOfError } from '../errors/failure-of-error.ts'
import { errorIn } from './error-in.ts'

test.each<[body: Record<string, unknown>, kind: string, message: string]>([
  [{ error: 'Oh.' }, 'vendor', 'Oh.'],
  [{ error: { message: 'Oh.' } }, 'vendor', 'Oh.'],
  [{ object: 'error', message: 'Oh.', code: 400 }, 'refused', 'Oh.'],
  [{ x_groq: { error: 'Oh.' } }, 'vendor', 'Oh.'],
  [{ base_resp: { status_code: 1008, status_msg: 'Oh.' } }, 'vendor', 'Oh.'],
  [{ base_resp: { status_code: 1027, status_msg: 'Oh.' }, choices: [] }, 'vendor', 'Oh.'],
  [{ base_resp: { status_code: 1002, status_msg: 'Oh.' } }, 'busy', 'Oh.'],
  [{ base_resp: { status_code: 1039, status_msg: 'Oh.' } }, 'busy', 'Oh.'],
  [{ base_resp: { status_code: 2013, status_msg: 'Oh.' } }, 'refused', 'Oh.'],
  [{ base_resp: { status_code: 1000 } }, 'vendor', 'The provider gave no reason.'],
])('%j is an error', (body, kind, message) => {
  expect(failureOfError(errorIn(body))).toEqual({ kind, message })
})

test.each<Record<string, unknown>>([
  {},
  { error: null },
  { error: '' },
  { error: {} },
  { error: false },
  { object: 'chat.completion.chunk' },
  { x_groq: { id: 'r' } },
  { x_groq: { id: 'r', error: null } },
  { base_resp: null },
  { base_resp: {} },
  { base_resp: { status_code: 0, status_msg: '' } },
])('%j is not an error', (body) => {
  expect(errorIn(body)).toBeUndefined()
})
