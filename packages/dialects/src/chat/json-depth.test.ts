import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { JsonDepth } from './tool-call-accumulator.ts'

test('an object is closed at its end and nowhere before', () => {
  const value = fc.dictionary(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']') }),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 7 }), (object, step) => {
      const text = JSON.stringify(object)
      const depth = new JsonDepth()
      for (let at = 0; at < text.length; at += step) {
        if (at > 0) expect(depth.isClosed).toBe(false)
        depth.feed(text.slice(at, at + step))
      }
      expect(depth.isClosed).toBe(true)
    }),
  )
})
