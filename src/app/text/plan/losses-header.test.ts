import { expect, test } from 'vitest'
import { nameLosses } from '../contract/text-plan.ts'

test.each([
  ['no loss', {}, [], {}],
  ['one loss', { a: 'b' }, ['top_k'], { a: 'b', 'x-sluice-losses': 'top_k' }],
  ['a repeated loss once', {}, ['top_k', 'seed', 'top_k'], { 'x-sluice-losses': 'top_k, seed' }],
  [
    'further losses after those that the header has',
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
