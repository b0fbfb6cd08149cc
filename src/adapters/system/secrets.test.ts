import { expect, test } from 'vitest'
import { fc } from '../../../test/random/properties.ts'
import { createSecrets } from './secrets.ts'

const secrets = createSecrets('a secret of more than thirty-two characters')

test('an encrypted text can be decrypted only for its owner', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plaintext, owner) => {
      const encrypted = secrets.encrypt(plaintext, owner)
      expect(secrets.decrypt(encrypted, owner)).toBe(plaintext)
      expect(secrets.decrypt(encrypted, `${owner}x`)).toBeUndefined()
    }),
  )
})

test('a text with a changed character cannot be decrypted', () => {
  const encrypted = secrets.encrypt('whsec_something', 'org_1')
  for (let at = 0; at < encrypted.length; at++) {
    const other = encrypted[at] === 'A' ? 'B' : 'A'
    expect(secrets.decrypt(encrypted.slice(0, at) + other + encrypted.slice(at + 1), 'org_1')).toBeUndefined()
  }
})

test.each([
  '',
  'x',
  '%%%%',
  'AAAA',
  'A'.repeat(37),
  `${secrets.encrypt('x', 'o')}=`,
  `${secrets.encrypt('x', 'o')} `,
])('the text %j, which was not encrypted here, cannot be decrypted', (text) =>
  expect(secrets.decrypt(text, 'o')).toBeUndefined(),
)

test('another secret gives other digests and decrypts nothing', () => {
  const others = createSecrets('another secret of more than thirty-two characters')
  expect(others.digest('sk')).not.toBe(secrets.digest('sk'))
  expect(others.decrypt(secrets.encrypt('x', 'o'), 'o')).toBeUndefined()
})

test('a digest is 64 hex digits and the same every time', () => {
  expect(secrets.digest('sk')).toMatch(/^[0-9a-f]{64}$/)
  expect(secrets.digest('sk')).toBe(secrets.digest('sk'))
})
