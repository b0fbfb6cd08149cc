import { expect, test, vi } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { findFault } from './find-fault.ts'

test.each([
  ['', 'line 1, column 1'],
  ['  ', 'line 1, column 3'],
  ['{', 'line 1, column 2'],
  ['{"a":}', 'line 1, column 6'],
  ['{"a":1,}', 'line 1, column 8'],
  ['{"a" 1}', 'line 1, column 6'],
  ['{"a":tru}', 'line 1, column 6'],
  ['{a:1}', 'line 1, column 2'],
  ['[1,]', 'line 1, column 4'],
  ['[1 2]', 'line 1, column 4'],
  ['[1}', 'line 1, column 3'],
  ['01', 'line 1, column 2'],
  ['1 1', 'line 1, column 3'],
  ['"ab', 'line 1, column 4'],
  ['["a\tb"]', 'line 1, column 4'],
  ['["\\x"]', 'line 1, column 4'],
  ['["\\u12g4"]', 'line 1, column 4'],
  ['["\\', 'line 1, column 4'],
  ["{'a':1}", 'line 1, column 2'],
  ['{\n  "a": "ü😀",\n  "b": "ü😀" x\n}', 'line 3, column 13'],
  ['{\r\n"a": nope}', 'line 2, column 6'],
  ['\ufeff{}', 'line 1, column 1'],
  ['[]]', 'line 1, column 3'],
])('%j: %s', (text, place) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(findFault(Buffer.from(text))).toBe(place)
})

test('finds a fault exactly where JSON.parse throws', () => {
  const json = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value, null, '\t')),
  )
  const change = fc.record({
    at: fc.nat(),
    text: fc.constantFrom('', '"', '\\', ',', '[', '}', ':', '-', '.', 'e', '\n', ' '),
  })
  fc.assert(
    fc.property(json, fc.array(change, { maxLength: 3 }), (text, changes) => {
      let changed = text
      for (const { at, text: more } of changes) {
        const from = at % (changed.length + 1)
        changed = changed.slice(0, from) + more + changed.slice(from + 1)
      }
      const bytes = Buffer.from(changed.toWellFormed())
      expect(findFault(bytes) === undefined).toBe(isJson(bytes.toString()))
    }),
    runs(2_000),
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each([`[${'\n'.repeat(50)}x`, `"${'\\u0041'.repeat(50)}`])(
  'the number of calls does not grow with the lines or escapes',
  (json) => {
    const bytes = Buffer.from(json)
    const search = vi.spyOn(bytes, 'indexOf')
    const read = vi.spyOn(bytes, 'toString')
    expect(findFault(bytes)).toBeDefined()
    expect(search.mock.calls.length + read.mock.calls.length).toBeLessThan(2)
  },
)
