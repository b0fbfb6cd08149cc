import { expect, it } from 'vitest'
import type { Signer } from '../../../src/adapters/outbound/sign-request.ts'
import { type SignedParts, sign } from '../../../src/adapters/providers/vendor-a-assets/call-action.ts'
import { fc } from '../../random/properties.ts'
import { ACCOUNT } from '../assets/asset-stand-in.ts'
import { verifySignature } from '../assets/verify-signature.ts'

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const PARTS: SignedParts = {
  method: 'POST',
  host: 'assets.example',
  path: '/',
  query: { Version: '2024-01-01', Action: 'GetAsset' },
  contentType: 'application/json',
  body: '{"Id":"asset-1","ProjectName":"default"}',
}

it('gives the headers that another program calculated', () => {
  const signer = { accessKey: 'access-key', secretKey: 'secret-key', region: 'region-1', service: 'assets' }
  expect(sign(PARTS, signer, NOW_MS)).toEqual({
    host: 'assets.example',
    'x-date': '20260102T030405Z',
    'x-content-sha256': 'f350a83877d1ff873274e702ef71d8adc3953c20c2b932d346bc50156831cc99',
    authorization:
      'HMAC-SHA256 Credential=access-key/20260102/region-1/assets/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=678eac613d8e9e3be2a45fa206213b3a2a0f65721677fb7953d5867cb08e9ba7',
  })
})

const name = fc.stringMatching(/^[a-z0-9-]{1,20}$/)

it('is accepted by the independent check, for any signed content', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ accessKey: name, secretKey: fc.string({ unit: 'grapheme' }), region: name, service: name }),
      fc.string({ unit: 'grapheme' }),
      fc.dictionary(name, fc.string({ unit: 'grapheme' })),
      fc.integer({ min: 0, max: 253_402_300_799_999 }),
      async (signer, body, query, nowMs) => {
        fc.pre(signer.secretKey !== '')
        const parts = { ...PARTS, body, query: { ...query, Action: 'GetAsset' } }
        expect(await verify(parts, signer, nowMs)).toEqual([])
      },
    ),
  )
})

it.each<[string, Partial<Parameters<typeof verify>[3]>]>([
  ['another body', { body: '{}' }],
  ['another query', { url: '/?Action=CreateAsset&Version=2024-01-01' }],
  ['another path', { url: '/up/?Action=GetAsset&Version=2024-01-01' }],
  ['another method', { method: 'GET' }],
  ['another host', { headers: { host: 'elsewhere.example' } }],
  ['another content type', { headers: { 'content-type': 'text/plain' } }],
  ['another second', { headers: { 'x-date': '20260102T030406Z' } }],
  ['another secret', { account: { ...ACCOUNT, secretKey: 'other' } }],
  ['another region', { account: { ...ACCOUNT, region: 'region-2' } }],
])('does not vouch for %s', async (_what, tampered) => {
  expect(await verify(PARTS, ACCOUNT, NOW_MS)).toEqual([])
  expect(await verify(PARTS, ACCOUNT, NOW_MS, tampered)).not.toEqual([])
})

it('does not show the secret', () => {
  expect(JSON.stringify(sign(PARTS, ACCOUNT, NOW_MS))).not.toContain(ACCOUNT.secretKey)
})

/** Verifies a request with one part changed on the way. */
function verify(
  parts: SignedParts,
  signer: Signer,
  nowMs: number,
  tampered: {
    body?: string
    url?: string
    method?: string
    headers?: Record<string, string>
    account?: Signer
  } = {},
): Promise<string[]> {
  const headers = { 'content-type': parts.contentType, ...sign(parts, signer, nowMs), ...tampered.headers }
  const query = Object.entries(parts.query).map((pair) => pair.map(encoded).join('='))
  const request = {
    method: tampered.method ?? parts.method,
    url: tampered.url ?? `${parts.path}?${query.join('&')}`,
    rawHeaders: Object.entries(headers).flat(),
  }
  const body = new TextEncoder().encode(tampered.body ?? parts.body)
  return verifySignature(request, body, tampered.account ?? signer)
}

/** Encodes every byte except letters, digits and four marks. */
function encoded(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte)
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
