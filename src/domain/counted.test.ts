import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [0, '0 assets'],
  [1, '1 asset'],
  [2, '2 assets'],
])('%i is counted as %s', (count, text) => {
  expect(counted(count, 'asset')).toBe(text)
})

test('a noun with several words has its own plural', () => {
  const forms = ['key that was not used', 'keys that were not used'] as const
  expect(counted(1, ...forms)).toBe('1 key that was not used')
  expect(counted(3, ...forms)).toBe('3 keys that were not used')
})
