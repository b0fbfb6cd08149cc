import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { digestBody } from './digest-body.ts'

test('the digest ignores the order of members, but not the order of a list', () => {
  expect(digestBody({ a: 1, b: { c: 2, d: 3 } })).toBe(digestBody({ b: { d: 3, c: 2 }, a: 1 }))
  expect(digestBody([1, 2])).not.toBe(digestBody([2, 1]))
})

test('long numbers that keep their digits have different digests', () => {
  const [one, other] = ['9007199254740992', '9007199254740993'].map((text) => ({ a: JSON.rawJSON(text) }))
  expect(digestBody(one)).not.toBe(digestBody(other))
  expect(digestBody(one)).toBe(digestBody({ a: 2 ** 53 }))
})

test('equal values have equal digests, and different values different ones, also with members such as __proto__', () => {
  const proto = JSON.parse('{"__proto__":{"a":1}}')
  expect(digestBody(proto)).not.toBe(digestBody({}))
  expect(digestBody(null)).not.toBe(digestBody('null'))
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other)
      if (same) expect(digestBody(one)).toBe(digestBody(other))
      if (!isDeepStrictEqual(reread(one), reread(other))) expect(digestBody(one)).not.toBe(digestBody(other))
      expect(digestBody(one)).toBe(digestBody(reread(one)))
    }),
  )
})

function reread(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
