import { readVendorError } from '@sluice/dialects/errors/vendor-error'
import { expect, test } from 'vitest'
import { hiddenTexts } from './provider.ts'

const KEYS = ['opaque-key-one', 'another.key'].map((key) => ({ key: { reveal: () => key }, weight: 1 }))

test('the hidden texts are the address of the vendor and every key', () => {
  expect(hiddenTexts('https://api.vendor.example:8443/v2', KEYS)).toEqual([
    'https://api.vendor.example:8443/v2',
    'https://api.vendor.example:8443',
    'api.vendor.example:8443',
    'api.vendor.example',
    'opaque-key-one',
    'another.key',
  ])
  expect(hiddenTexts('https://vendor.example', [])).toEqual(['https://vendor.example', 'vendor.example'])
})

test('a message of the vendor has no hidden text left', () => {
  const hides = hiddenTexts('https://api.vendor.example:8443/v2', KEYS)
  const message = 'POST https://API.vendor.example:8443/v2/chat with another.key at api.vendor.example'
  expect(readVendorError({ error: { message } }, { hides }).message).toBe('POST …/chat with … at …')
})
