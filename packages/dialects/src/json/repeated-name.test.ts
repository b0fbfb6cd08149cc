import { expect, test } from 'vitest'
import { findRepeatedName } from './parse-json.ts'

test.each<[json: string, name: string | undefined]>([
  ['{"a":1,"b":[{"a":2},{"a":3}],"c":"a"}', undefined],
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['[{"a":{"b":"{\\"a\\":1,","b":[]}}]', 'b'],
  ['{"":1,"b":"","":2}', ''],
  ['["a","a"]', undefined],
])('%s', (json, name) => {
  expect(findRepeatedName(json)).toBe(name)
})
