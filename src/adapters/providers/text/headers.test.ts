import { expect, test } from 'vitest'
import { cacheHeaders } from './headers.ts'

const KEY = { reveal: () => 'first' }
const OTHER = { reveal: () => 'second' }

test('equal headers are the same frozen object', () => {
  const headersFor = cacheHeaders('vendor-version')
  const first = headersFor('messages', KEY, { version: '2023-06-01', betas: undefined })
  expect(first).toEqual({
    'content-type': 'application/json',
    'x-api-key': 'first',
    'vendor-version': '2023-06-01',
  })
  expect(Object.isFrozen(first)).toBe(true)
  expect(headersFor('chat', KEY, { version: undefined, betas: undefined })).not.toBe(first)
  expect(headersFor('messages', KEY, { version: '2023-06-01', betas: undefined })).toBe(first)
})

test('another key, version or beta has its own headers, also in alternation', () => {
  const headersFor = cacheHeaders('vendor-version')
  for (let round = 0; round < 2; round += 1) {
    expect(headersFor('messages', KEY, { version: '2023-06-01', betas: undefined })).toMatchObject({
      'x-api-key': 'first',
      'vendor-version': '2023-06-01',
    })
    expect(headersFor('messages', OTHER, { version: '2023-06-01', betas: undefined })).toMatchObject({
      'x-api-key': 'second',
    })
    expect(headersFor('messages', KEY, { version: '2023-01-01', betas: undefined })).toMatchObject({
      'x-api-key': 'first',
      'vendor-version': '2023-01-01',
    })
    const withBetas = headersFor('messages', KEY, { version: '2023-01-01', betas: 'a,b' })
    expect(withBetas).toMatchObject({ 'x-api-key': 'first', 'anthropic-beta': 'a,b' })
  }
})
