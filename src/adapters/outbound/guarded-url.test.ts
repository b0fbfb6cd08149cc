import { describe, expect, it } from 'vitest'
import { createAddressCheck } from '../../domain/addresses/address-check.ts'
import { readGuardedUrl } from './guarded-url.ts'

const isAllowed = createAddressCheck({ allow: [] })

describe('readGuardedUrl', () => {
  it.each([
    'https://example.com/callback?a=1#part',
    'https://example.com:8443/',
    'https://example.com:443/',
    'https://8.8.8.8/',
    'HTTPS://EXAMPLE.COM',
  ])('takes %s', (text) => {
    expect(readGuardedUrl(text, isAllowed).protocol).toBe('https:')
  })

  it.each([
    ['http://example.com/', 'not HTTPS'],
    ['ftp://example.com/', 'not HTTPS'],
    ['file:///etc/passwd', 'not HTTPS'],
    ['data:text/plain,x', 'not HTTPS'],
    ['javascript:alert(1)', 'not HTTPS'],
    ['gopher://example.com:6379/_', 'not HTTPS'],
    ['asset://abc', 'not HTTPS'],
    ['', 'not a URL'],
    ['//example.com/', 'not a URL'],
    ['example.com', 'not a URL'],
    ['https://', 'not a URL'],
    ['https://exa mple.com/', 'not a URL'],
    ['https://example.com:99999/', 'not a URL'],
    ['https://user@example.com/', 'user-info'],
    ['https://user:pass@example.com/', 'user-info'],
    ['https://:pass@example.com/', 'user-info'],
    ['https://example.com@127.0.0.1/', 'user-info'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:5432/', 'port'],
    ['https://example.com:6379/', 'port'],
    ['https://example.com:11211/', 'port'],
    ['https://127.0.0.1/', 'address'],
    ['https:127.1', 'address'],
    ['https:\\\\0x7f000001\\', 'address'],
    ['https://[::1]:8443/', 'address'],
  ])('refuses %s: %s', (text, reason) => {
    expect(() => readGuardedUrl(text, isAllowed)).toThrow(
      expect.objectContaining({ kind: 'forbidden', taken: 'no', message: expect.stringContaining(reason) }),
    )
  })

  it('does not repeat the URL in its error', () => {
    expect(() => readGuardedUrl('http://example.com/?token=canary', isAllowed)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('canary') }),
    )
  })
})
