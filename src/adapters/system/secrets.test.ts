import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { createSecrets } from './secrets.ts'

const secrets = createSecrets('a secret of more than thirty-two characters')

test('what is sealed opens only for what it was bound to', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plaintext, owner) => {
      const sealed = secrets.seal(plaintext, owner)
      expect(secrets.open(sealed, owner)).toBe(plaintext)
      expect(secrets.open(sealed, `${owner}x`)).toBeUndefined()
    }),
  )
})

test('a changed character opens nothing', () => {
  const sealed = secrets.seal('whsec_something', 'org_1')
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    expect(secrets.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'org_1')).toBeUndefined()
  }
})

test.each([
  '',
  'x',
  '%%%%',
  'AAAA',
  'A'.repeat(37),
  `${secrets.seal('x', 'o')}=`,
  `${secrets.seal('x', 'o')} `,
])('the text %j is not a seal', (text) => expect(secrets.open(text, 'o')).toBeUndefined())

test('another secret gives other digests and opens nothing', () => {
  const others = createSecrets('another secret of more than thirty-two characters')
  expect(others.digest('sk')).not.toBe(secrets.digest('sk'))
  expect(others.open(secrets.seal('x', 'o'), 'o')).toBeUndefined()
})

test('a digest is 64 hex digits and the same every time', () => {
  expect(secrets.digest('sk')).toMatch(/^[0-9a-f]{64}$/)
  expect(secrets.digest('sk')).toBe(secrets.digest('sk'))
})
