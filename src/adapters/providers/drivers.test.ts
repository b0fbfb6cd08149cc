import { expect, test } from 'vitest'
import { DRIVERS } from './drivers.ts'

test('the drivers are known by these words', () => {
  expect(Object.keys(DRIVERS).slice(0, 3)).toEqual(['vendor-a', 'vendor-b', 'text'])
})
