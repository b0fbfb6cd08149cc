import { expect, test } from 'vitest'
import { nameLosses } from '../contract/text-plan.ts'

test.each([
  ['none', {}, [], {}],
  ['one', { a: 'b' }, ['top_k'], { a: 'b', 'x-sluice-losses': 'top_k' }],
  ['doubles', {}, ['top_k', 'seed', 'top_k'], { 'x-sluice-losses': 'top_k, seed' }],
  [
    'more to those that are named',
    { 'x-sluice-losses': 'top_k, seed' },
    ['seed', 'stop'],
    { 'x-sluice-losses': 'top_k, seed, stop' },
  ],
])('names %s', (_name, headers, losses, expected) => {
  expect(nameLosses(headers, losses)).toEqual(expected)
})

test('without losses the same headers object is returned', () => {
  const headers = { a: 'b' }
  expect(nameLosses(headers, new Set<string>())).toBe(headers)
})
