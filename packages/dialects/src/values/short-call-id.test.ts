import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { nineCharacterId, shortCallId } from './names.ts'

test.each([['call_1'], ['functions.f:0'], ['a'.repeat(40)], ['']])(
  '%j is short enough and stays',
  (callId) => {
    expect(shortCallId(callId, 40)).toBe(callId)
  },
)

test('a long id keeps its beginning, and is the same in every request', () => {
  const given = shortCallId(`toolu_${'1'.repeat(90)}`, 40)
  expect(given).toMatch(/^toolu_1+_[0-9a-z]{1,7}_[0-9a-z]{1,7}$/)
  expect(shortCallId(`toolu_${'1'.repeat(90)}`, 40)).toBe(given)
})

test('any ids get valid and unique ids, which also differ from the short ones', () => {
  const ids = fc.uniqueArray(
    fc.tuple(fc.constantFrom('', 'a'.repeat(70), 'functions.f: '.repeat(8)), fc.string({ maxLength: 90 })),
    { selector: ([head, tail]) => head + tail, maxLength: 12 },
  )
  fc.assert(
    fc.property(ids, fc.constantFrom(40, 64), (pairs, lengthMax) => {
      const wanted = pairs.map(([head, tail]) => head + tail)
      const given = wanted.map((callId) => shortCallId(callId, lengthMax))
      expect(new Set(given).size).toBe(wanted.length)
      for (const [place, callId] of given.entries()) {
        if (callId !== wanted[place]) expect(callId).toMatch(new RegExp(`^[a-zA-Z0-9_-]{${lengthMax}}$`))
      }
    }),
  )
})

test('an id of nine letters and digits stays, and any other gets nine of its own', () => {
  expect(nineCharacterId('aB3dE6gH9')).toBe('aB3dE6gH9')
  const ids = fc.uniqueArray(fc.string({ maxLength: 90 }), { maxLength: 12 })
  fc.assert(
    fc.property(ids, (wanted) => {
      const given = wanted.map(nineCharacterId)
      expect(new Set(given).size).toBe(wanted.length)
      for (const id of given) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
      expect(wanted.map(nineCharacterId)).toEqual(given)
    }),
  )
})
