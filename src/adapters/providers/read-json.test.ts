import { expect, it } from 'vitest'
import { readJson } from './ask-vendor.ts'

it('reads JSON, with or without a byte order mark', () => {
  expect(readJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 })
  expect(readJson(Buffer.from('\ufeff[1]'))).toEqual([1])
  expect(readJson(Buffer.from('null'))).toBeNull()
})

it('accepts bytes that are not UTF-8', () => {
  expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toBe('\ufffd')
})

it.each(['', '{', '<html>', '{"a":1} x', '{"a":NaN}', '\0\0'])('%j is not JSON', (text) => {
  expect(readJson(Buffer.from(text))).toBeUndefined()
})
