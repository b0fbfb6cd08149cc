import { types } from 'pg'
import { expect, test } from 'vitest'
import { VALUE_PARSERS } from './value-parsers.ts'

const parse = (typeId: number, text: string) => VALUE_PARSERS.getTypeParser(typeId, 'text')(text)

test('whole numbers become numbers, as far as a number is exact', () => {
  expect(parse(types.builtins.INT8, '9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
  expect(parse(types.builtins.INT8, '-7')).toBe(-7)
  expect(() => parse(types.builtins.INT8, '9007199254740992')).toThrow(RangeError)
})

test('decimals stay text', () => {
  expect(parse(types.builtins.NUMERIC, '5.250000')).toBe('5.250000')
})
