import { describe, expect, it } from 'vitest'
import { checkSignature } from '../../../../sandbox/assets/check-signature.ts'
import { createSandboxClock } from '../../../../sandbox/clock.ts'
import type { SandboxRequest } from '../../../../sandbox/part.ts'
import { openAssetVendor, refusal, type Signing } from '../asset-client.ts'
import { START_MS } from '../open-vendors.ts'

/** Request that a program in another language signed, written only from the vendor's rules. */
const SIGNED_ELSEWHERE: SandboxRequest = {
  params: {},
  query: new URLSearchParams('Version=2024-01-01&Odd=a+b*&Action=GetAsset'),
  headers: {
    host: 'assets.example',
    'content-type': 'application/json',
    'x-date': '20300102T000000Z',
    'x-content-sha256': '39f2a479a3426ff8106c4630088f7d9a37a233798baa96318b7c6e30cca1eafa',
    authorization:
      'HMAC-SHA256 Credential=key-1/20300102/cn-north/ark/request, ' +
      'SignedHeaders=content-type;host;x-content-sha256;x-date, ' +
      'Signature=8f69737c78055f95381a1c3f3a3378c7fae9857d521a9c8e03c7b4492e40ed97',
  },
  body: Buffer.from('{"Id":"a!"}'),
  clock: createSandboxClock({ nowMs: () => START_MS, speed: 1 }),
  url: 'http://127.0.0.1:1/vendor-a-assets',
  signal: new AbortController().signal,
}

it('accepts a request that was signed elsewhere', () => {
  expect(() => checkSignature(SIGNED_ELSEWHERE)).not.toThrow()
})

it.each<[string, Partial<SandboxRequest>]>([
  ['another body', { body: Buffer.from('{"Id":"b!"}') }],
  ['another action', { query: new URLSearchParams('Version=2024-01-01&Odd=a+b*&Action=CreateAsset') }],
  ['another path', { url: 'http://127.0.0.1:1/elsewhere' }],
  ['another host', { headers: { ...SIGNED_ELSEWHERE.headers, host: 'other.example' } }],
  ['another content type', { headers: { ...SIGNED_ELSEWHERE.headers, 'content-type': 'text/plain' } }],
  ['another second', { headers: { ...SIGNED_ELSEWHERE.headers, 'x-date': '20300102T000001Z' } }],
  ['another day', { headers: { ...SIGNED_ELSEWHERE.headers, 'x-date': '20300101T235959Z' } }],
])('refuses it with %s', (_what, change) => {
  expect(() => checkSignature({ ...SIGNED_ELSEWHERE, ...change })).toThrow(
    expect.objectContaining({ status: 401, code: 'SignatureDoesNotMatch' }),
  )
})

const header =
  (name: string, value: (before: string) => string): Signing['tamper'] =>
  ({ headers }) => {
    headers[name] = value(headers[name] ?? '')
  }

describe('over HTTP', () => {
  const list = async (signing: Partial<Signing>) => (await openAssetVendor()).call('ListAssets', {}, signing)

  it.each([-15, 0, 15])('200: a clock that is %i minutes off', async (minutes) => {
    expect(await list({ skewMs: minutes * 60_000 })).toMatchObject({
      status: 200,
      body: {
        ResponseMetadata: {
          RequestId: expect.stringMatching(/^\d{14}[0-9A-F]{18}$/),
          Action: 'ListAssets',
          Version: '2024-01-01',
          Service: 'assets',
          Region: 'region-1',
        },
      },
    })
  })

  it.each<[string, string, Partial<Signing>]>([
    ['InvalidTimestamp', 'a clock 16 minutes behind', { skewMs: -16 * 60_000 }],
    ['InvalidTimestamp', 'a clock 16 minutes ahead', { skewMs: 16 * 60_000 }],
    ['InvalidTimestamp', 'a date of another shape', { tamper: header('x-date', () => '2030-01-02') }],
    ['InvalidTimestamp', 'a date in month 99', { tamper: header('x-date', () => '20309902T000000Z') }],
    ['InvalidAccessKey', 'the refused key', { accessKey: 'bad-key' }],
    ['SignatureDoesNotMatch', 'another secret', { secretKey: 'guess' }],
    [
      'SignatureDoesNotMatch',
      'another body than was signed',
      {
        tamper: (sent) => {
          sent.text = '{"PageSize":1}'
        },
      },
    ],
    [
      'SignatureDoesNotMatch',
      'another query than was signed',
      {
        tamper: (sent) => {
          sent.query += '&More=1'
        },
      },
    ],
    [
      'SignatureDoesNotMatch',
      'a header that is not signed',
      { tamper: header('authorization', (text) => text.replace('host;', '')) },
    ],
    ['InvalidAuthorization', 'no signature at all', { tamper: header('authorization', () => '') }],
    ['InvalidAuthorization', 'another scheme', { tamper: header('authorization', () => 'Bearer any') }],
    [
      'InvalidAuthorization',
      'a signature that is cut',
      { tamper: header('authorization', (text) => text.slice(0, -1)) },
    ],
  ])('401 %s: %s', async (code, _what, signing) => {
    const answer = await list(signing)
    expect(answer).toMatchObject({ status: 401, body: refusal(code) })
    expect(answer.body).not.toHaveProperty('Result')
  })

  it.each([
    ['ListAsset', '2024-01-01'],
    ['ListAssets', '2020-01-01'],
    ['', ''],
  ])('400 InvalidActionOrVersion: %j of %j', async (action, version) => {
    const { call } = await openAssetVendor()
    expect(await call(action, {}, { version })).toMatchObject({
      status: 400,
      body: refusal('InvalidActionOrVersion'),
    })
    expect((await call(action, {}, { version, secretKey: 'guess' })).status).toBe(401)
  })
})
