import { describe, expect, test } from 'vitest'
import { fc, runs } from '../../../../test/random/properties.ts'
import { countValues } from './json-bounds.ts'

const within = (text: string, nul: 'refuse' | 'pass' = 'refuse') =>
  countValues(Buffer.from(text), { depthMax: 64, valuesMax: Number.POSITIVE_INFINITY, nul }) > 0

const counted = (text: string, valuesMax: number) =>
  countValues(Buffer.from(text), { depthMax: 64, valuesMax, nul: 'pass' })

/** Number of values; empty lists and objects count twice. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const inner = Object.values(value)
  return inner.length === 0 ? 2 : inner.reduce((sum: number, member) => sum + countOf(member), 1)
}

/** The slow check, on the parsed value. */
function judge(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (depth === 64) return false
  return Object.entries(value).every(([key, inner]) => judge(key) && judge(inner, depth + 1))
}

/** Any JSON value; sometimes one that is nested deeply or has odd characters. */
const anyJson = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }),
  fc.tuple(fc.integer({ min: 60, max: 68 }), fc.jsonValue({ maxDepth: 2 })).map(([depth, inner]) => {
    let value: unknown = inner
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { '"\\': value }
    return value
  }),
  fc
    .array(fc.constantFrom('\\', '"', '\0', '\ud83d', '\ude00', 'u0000', 'a', '[', '{'), { maxLength: 300 })
    .map((units) => units.join('')),
)

/** Every character beyond printable ASCII as an escape, as some clients write it. */
const escaped = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('the count of values in JSON bytes', () => {
  test('finds faults as a check of the parsed value does', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const expected = judge(JSON.parse(text))
        expect(within(text)).toBe(expected)
        expect(within(escaped(text))).toBe(expected)
      }),
      runs(2_000),
    )
  })

  test('equals the count in the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
        // Parsed again, because only the last of several members with one name stays.
        const parsed: unknown = JSON.parse(JSON.stringify(value))
        expect(counted(JSON.stringify(parsed, null, indent), 1e9)).toBe(countOf(parsed))
      }),
    )
  })

  test.each(['[1,2,3,4,5,6,7,8,9', '[[],[],[],[],[],[]]', '{"a":{"b":{"c":{"d":{}}}}}'])(
    'stops after the maximum number of values: %s',
    (text) => {
      expect(counted(text, 4)).toBe(5)
    },
  )

  test('ignores commas and brackets in a string', () => {
    expect(counted(JSON.stringify([',[{,'.repeat(999), '\\",[']), 9)).toBe(3)
  })

  test('optionally allows characters that cannot be stored, but never too deep nesting', () => {
    expect(within('"\\u0000\\ud800"', 'pass')).toBe(true)
    expect(within('['.repeat(65), 'pass')).toBe(false)
  })

  test.each([
    '"',
    '"\\',
    '"\\u',
    '"\\u00',
    '"\\ud83d',
    '"\\ud83d\\',
    '"\\uzzzz"',
    ']]]]',
    '"a',
    '"'.repeat(999),
  ])('comes to an end on incomplete JSON: %s', (text) => {
    expect(typeof within(text)).toBe('boolean')
    expect(within(text, 'pass')).toBe(true)
  })

  test('finds the end of long strings behind any escapes', () => {
    for (const filling of [
      'a'.repeat(1000),
      '\\"'.repeat(1000),
      '\\\\'.repeat(1000),
      `${'a'.repeat(100)}\\n`.repeat(99),
    ]) {
      expect(within(`["${filling}",${'['.repeat(63)}`)).toBe(true)
      expect(within(`["${filling}",${'['.repeat(64)}`)).toBe(false)
    }
  })

  test('reads each byte a bounded number of times', () => {
    // A far quote with an escape in every stretch before it: searching the quote anew each time would take minutes.
    expect(within(`"${`${'a'.repeat(70)}\\n`.repeat(400_000)}"`)).toBe(true)
  })
})
