import { expect, test } from 'vitest'
import { readIdempotencyKey } from './read-idempotency-key.ts'

test('a request without the header has no key', () => {
  expect(readIdempotencyKey({})).toBeUndefined()
})

test.each(['a', '~', 'two words', 'x'.repeat(255)])('%j is a key', (key) => {
  expect(readIdempotencyKey({ 'idempotency-key': key })).toBe(key)
})

test.each(['', 'x'.repeat(256), 'caf\u00e9', 'a\tb', '\u0000'])('%j is refused', (key) => {
  expect(() => readIdempotencyKey({ 'idempotency-key': key })).toThrow(
    expect.objectContaining({ status: 400, code: 'invalid_parameter', param: 'Idempotency-Key' }),
  )
})
