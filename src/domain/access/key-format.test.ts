import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { formatKey, isWellFormedKey, keyPrefix } from './key-format.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('every key has the shape and the checksum, and shows only its first characters', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const key = formatKey(random)
      expect(key).toHaveLength(58)
      expect(isWellFormedKey(key)).toBe(true)
      expect(keyPrefix(key)).toBe(key.slice(0, 16))
    }),
  )
})

test('a key with one wrong character fails the checksum', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.integer({ min: 10, max: 57 }),
      fc.constantFrom('A', 'z', '-', '7'),
      (random, at, letter) => {
        const key = formatKey(random)
        fc.pre(key[at] !== letter)
        const mistyped = key.slice(0, at) + letter + key.slice(at + 1)
        expect(isWellFormedKey(mistyped)).toBe(false)
      },
    ),
  )
})

test.each([
  ['nothing', ''],
  ['another vendor', `sk-${'a'.repeat(48)}`],
  ['truncated', formatKey(new Uint8Array(32)).slice(0, -1)],
  ['too long', `${formatKey(new Uint8Array(32))}A`],
  ['a line break at the end', `${formatKey(new Uint8Array(32))}\n`],
  ['a space before', ` ${formatKey(new Uint8Array(32))}`],
  ['upper case start', formatKey(new Uint8Array(32)).toUpperCase()],
  ['a digest as key', 'ab'.repeat(32)],
  ['plain base64', `sk-sluice-${'+/'.repeat(24)}`],
])('%s is not a key', (_name, text) => {
  expect(isWellFormedKey(text)).toBe(false)
})
