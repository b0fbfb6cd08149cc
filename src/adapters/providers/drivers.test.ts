import { expect, test } from 'vitest'
import { DRIVERS } from './drivers.ts'

test('the drivers have these names', () => {
  expect(Object.keys(DRIVERS).slice(0, 3)).toEqual(['vendor-a', 'vendor-b', 'text'])
})
