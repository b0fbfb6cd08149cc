import { expect, test } from 'vitest'
import { closestName } from './closest-name.ts'

const names = ['api_key', 'base_url', 'driver', 'models']

test.each([
  ['apikey', 'api_key'],
  ['apiKey', 'api_key'],
  ['API-KEY', 'api_key'],
  ['base_ur', 'base_url'],
  ['model', 'models'],
  ['dirver', 'driver'],
  ['zebra', undefined],
  ['', undefined],
])('%s is taken for %s', (given, meant) => {
  expect(closestName(given, names)).toBe(meant)
})

test('an empty list has no closest name', () => {
  expect(closestName('api_key', [])).toBeUndefined()
})
