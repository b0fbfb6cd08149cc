import { expect, test } from 'vitest'
import { fc } from '../../../test/chance/properties.ts'
import { BraceWatch } from './brace-watch.ts'

test('an object is closed at its end and nowhere before', () => {
  const value = fc.dictionary(
    fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']') }),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 7 }), (object, step) => {
      const text = JSON.stringify(object)
      const watch = new BraceWatch()
      for (let end = step; end < text.length; end += step)
        expect(watch.isClosed(text.slice(0, end))).toBe(false)
      expect(watch.isClosed(text)).toBe(true)
    }),
  )
})
