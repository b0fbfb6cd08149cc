import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import { isProofOf, readSeal, writeSeal } from './seal.ts'

test('a seal is spelled with its provider in front', () => {
  expect(writeSeal({ provider: 'vendorC', proof: 'Eo8B+/==' })).toBe('gw1.vendorC.Eo8B+/==')
  expect(readSeal('gw1.vendorC.a.b')).toEqual({ provider: 'vendorC', proof: 'a.b' })
})

test('a provider name with dots is restored', () => {
  expect(writeSeal({ provider: 'eu.vendor-1', proof: 'x' })).toBe('gw1.eu%2Evendor-1.x')
})

test.each([
  '',
  'gw1',
  'gw1.',
  'gw1..x',
  'gw1.vendorC',
  'gw1.vendorC.',
  'gw2.vendorC.x',
  'EqQBCkYIA',
  ' gw1.a.b',
])('%j is not a seal of ours', (text) => {
  expect(readSeal(text)).toBeUndefined()
})

test('a proof of the gateway does not count as a proof of the vendor', () => {
  expect(isProofOf('vendorC', { provider: 'vendorC', proof: 'Eo8B' })).toBe(true)
  expect(isProofOf('vendorC', { provider: 'vendorD', proof: 'Eo8B' })).toBe(false)
  expect(isProofOf('vendorC', { provider: 'vendorC', proof: 'chat.call.Eo8B' })).toBe(false)
})

test('a seal can be read back', () => {
  const part = fc.string({ unit: fc.constantFrom('.', '%', '2', '5', 'E', 'a', '水'), minLength: 1 })
  fc.assert(
    fc.property(part, part, (provider, proof) => {
      expect(readSeal(writeSeal({ provider, proof }))).toEqual({ provider, proof })
    }),
  )
})
