import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { isJsonObject } from './json-object.ts'
import { mayHoldRounded, parseExact } from './parse-exact.ts'

test.each([
  '1234567890123456789',
  '-9223372036854775808',
  '18446744073709551615',
  '9007199254740993',
  '123456789012345678901234567890',
  '1.000000000000000001',
  '12345678.123456789',
  '0.1234567890123456789',
  '123456789012345.67',
  '1e400',
  '-1E+400',
  '1.5e-400',
  '12345678901234567e5',
])('a number that would be rounded keeps its spelling: %s', (number) => {
  const json = `{"a":[${number},{"b":${number}}],"c":"said ${number}"}`
  expect(mayHoldRounded(json)).toBe(true)
  expect(JSON.stringify(parseExact(json))).toBe(json)
  const spaced = `{"a" :\n${number}\n}`
  expect(JSON.stringify(parseExact(spaced))).toBe(`{"a":${number}}`)
})

test.each([
  ['0', 0],
  ['-1', -1],
  ['1.10', 1.1],
  ['1e3', 1000],
  ['123456789012345', 123456789012345],
  ['9007199254740991', 9007199254740991],
  ['1712345678.1234567', 1712345678.1234567],
  ['5e-324', 5e-324],
])('a number that is not rounded stays a number: %s', (number, value) => {
  const beside = '"id":1234567890123456789'
  expect(parseExact(`{"a":${number}}`)).toEqual({ a: value })
  expect(parseExact(`{"a":${number},${beside}}`)).toMatchObject({ a: value })
})

test.each(['1234567890123456789', ' 1e400 '])(
  'a long number that stands alone is not an object: %s',
  (json) => {
    expect(isJsonObject(parseExact(json))).toBe(false)
    expect(parseExact(json)).toBe(Number(json))
  },
)

test.each(['', '{"a":1', '{"a":1234567890123456789', '01234567890123456789'])(
  'text that is not JSON is undefined: %s',
  (json) => {
    expect(parseExact(json)).toBeUndefined()
  },
)

test.each([
  '{"id":"1234567890123456789"}',
  '{"hash":"0a3e457b12e9001c","at":"v1.1e100"}',
  '{"at":1712345678.12}',
])('text is not read as a number: %s', (json) => {
  expect(mayHoldRounded(json)).toBe(false)
})

test('an object with a member rawJSON stays an object', () => {
  const json = '{"a":{"rawJSON":"1234567890123456789"},"b":{"rawJSON":1234567890123456789}}'
  expect(JSON.stringify(parseExact(json))).toBe(json)
})

test('a text that contains the mark is not changed', () => {
  const json = String.raw`{"a":"\uDFFF1","b":1234567890123456789}`
  expect(parseExact(json)).toEqual({ a: '\udfff1', b: Number('1234567890123456789') })
})

test('a list of numbers keeps them too', () => {
  expect(JSON.stringify(parseExact('[1,1234567890123456789]'))).toBe('[1,1234567890123456789]')
})

test('names such as __proto__ are ordinary names', () => {
  const json = '{"__proto__":{"a":1234567890123456789},"constructor":1}'
  expect(JSON.stringify(parseExact(json))).toBe(json)
})

const digits = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 })
  .map((each) => each.join(''))
const numbers = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc.option(digits),
    fc.option(fc.integer({ min: -500, max: 500 })),
  )
  .map(([isNegative, whole, part, exponent]) => {
    const power = exponent === null ? '' : `e${exponent}`
    return `${isNegative ? '-' : ''}${whole}${part === null ? '' : `.${part}`}${power}`
  })

/** Returns sign, significant digits and exponent, which are the same for all spellings of a number. */
function worthOf(number: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? []
  const significant = (whole + part).replace(/^0+/, '')
  const short = significant.replace(/0+$/, '')
  if (short === '') return '0'
  return `${sign}${short}e${Number(exponent) - part.length + significant.length - short.length}`
}

test('every number keeps its value', () => {
  fc.assert(
    fc.property(fc.array(numbers), fc.string(), (all, text) => {
      const json = `{"text":${JSON.stringify(text)},"all":[${all.join()}]}`
      const spelled = JSON.stringify(parseExact(json))
      const list = spelled.slice(spelled.lastIndexOf('[') + 1, -2)
      expect(spelled.startsWith(`{"text":${JSON.stringify(text)},`)).toBe(true)
      expect((list === '' ? [] : list.split(',')).map(worthOf)).toEqual(all.map(worthOf))
    }),
  )
})

test('JSON without such a number is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      if (!mayHoldRounded(json)) expect(parseExact(json)).toEqual(JSON.parse(json))
    }),
  )
})
