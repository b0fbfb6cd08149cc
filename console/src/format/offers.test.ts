import { expect, test } from 'vitest'
import { markedUp, offersOf, usualDialect } from './offers.ts'

const VENDOR = {
  models: { large: { dialect: 'responses', upstream: 'acme-large' }, small: 'responses' },
  rows: [{ name: 'acme/large', prices: [{ unit: 'input_token', usd_per_million: 2 }] }],
  dialect: 'responses',
}

test('offers begin with models of the preset that the vendor lists; its other models follow', () => {
  expect(offersOf(VENDOR, ['acme-large', 'vendor/new one'])).toEqual([
    { id: 'acme-large', key: 'large', entry: VENDOR.models.large, row: VENDOR.rows[0] },
    {
      ...{ id: 'vendor/new one', key: 'vendor-new-one', row: undefined },
      entry: { dialect: 'responses', upstream: 'vendor/new one' },
    },
  ])
})

test('offers are all models of the preset when the vendor has no list', () => {
  expect(offersOf(VENDOR, []).map(({ id }) => id)).toEqual(['acme-large', 'small'])
})

test('the usual dialect is that of most models', () => {
  expect(usualDialect({ a: 'chat', b: { dialect: 'responses', reasons: false }, c: 'responses' })).toBe(
    'responses',
  )
  expect(usualDialect({})).toBe('chat')
})

test.each([
  ['1.25', 20, '1.5'],
  ['0.1', 33.33, '0.13333'],
  ['0.000001', 1, '0.000002'],
  ['2', -50, '1'],
  ['', 20, ''],
  ['x', 20, ''],
])('%s dollars with %s %% are %s', (amount, percent, expected) => {
  expect(markedUp(amount, percent)).toBe(expected)
})
