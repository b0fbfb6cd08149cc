import { expect, test } from 'vitest'
import { faultOf } from './fault-of.ts'

const BALANCE = { method: 'GET', path: '/v1/balance', status: 200, type: 'application/json; charset=utf-8' }

test.each([
  [
    'a member that is missing',
    { ...BALANCE, text: '{"object":"balance"}' },
    /^getBalance 200: data must have/,
  ],
  ['a status', { ...BALANCE, status: 418, text: '{}' }, /^getBalance 418: the status is not described$/],
  ['a type', { ...BALANCE, type: 'text/html', text: undefined }, /the type text\/html is not described$/],
  [
    'an error',
    { ...BALANCE, status: 401, text: '{"error":"no"}' },
    /^getBalance 401: data\/error must be object/,
  ],
])('an answer that differs by %s is found', (_name, answer, fault) => {
  expect(faultOf(answer)).toMatch(fault)
})

test('an operation that is not described is not compared', () => {
  expect(faultOf({ ...BALANCE, path: '/nowhere', text: '{}' })).toBeUndefined()
})
