import { expect, test } from 'vitest'
import { makeSigningKey, sha256, signJws } from '../adapters/system/signatures.ts'
import { openReceipt, readKeySet } from './receipts.ts'

const KEY = makeSigningKey()
const KEYS = new Map([[KEY.id, KEY.publicKey]])
const RECEIPT = { object: 'receipt', organization_id: 'org_1', number: 7, previous: 'x', amount_micros: 5 }
const JWS = signJws(JSON.stringify(RECEIPT), KEY)
const TEXT = JSON.stringify(JWS)

test('an unchanged receipt is valid in any layout of its JSON', () => {
  const link = {
    organizationId: 'org_1',
    number: 7,
    previous: 'x',
    hash: sha256(`${JWS.protected}.${JWS.payload}.${JWS.signature}`),
  }
  for (const text of [TEXT, JSON.stringify(JWS, null, 2), `${TEXT}\n`])
    expect(openReceipt(text, KEYS)).toEqual({ fault: undefined, link, receipt: RECEIPT })
})

test('the same text and key give the same signature', () => {
  expect(signJws(JSON.stringify(RECEIPT), KEY)).toEqual(JWS)
})

test('a changed byte is found at any position', () => {
  const bytes = Buffer.from(TEXT)
  for (let place = 0; place < bytes.length; place += 1) {
    // At the end of a text the next character of the base64 alphabet may decode to the same bytes. It must be found too.
    for (const flip of [1, 4, 32]) {
      const changed = Buffer.from(bytes)
      changed[place] = (bytes[place] ?? 0) ^ flip
      expect({ place, flip, fault: openReceipt(changed.toString('latin1'), KEYS).fault }).toMatchObject({
        fault: expect.any(String),
      })
    }
  }
})

test('every other spelling of the last character of the signature is found', () => {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const last of ALPHABET) {
    if (JWS.signature.endsWith(last)) continue
    const signature = JWS.signature.slice(0, -1) + last
    expect(openReceipt(JSON.stringify({ ...JWS, signature }), KEYS)).toEqual({ fault: 'changed' })
  }
})

test('a receipt of another key is foreign, even with the id of our key', () => {
  const other = makeSigningKey()
  const foreign = JSON.stringify(signJws(JSON.stringify(RECEIPT), other))
  expect(openReceipt(foreign, KEYS)).toEqual({ fault: 'unknown-key' })
  const forged = JSON.stringify(signJws(JSON.stringify(RECEIPT), { ...other, id: KEY.id }))
  expect(openReceipt(forged, KEYS)).toEqual({ fault: 'changed' })
  expect(openReceipt(forged, new Map([[KEY.id, other.publicKey]]))).toEqual({ fault: 'unknown-key' })
})

test('a header with another algorithm is refused', () => {
  for (const head of [{ alg: 'none', kid: KEY.id }, { alg: 'HS256', kid: KEY.id }, { alg: 'EdDSA' }, 7]) {
    const text = Buffer.from(JSON.stringify(head)).toString('base64url')
    expect(openReceipt(JSON.stringify({ ...JWS, protected: text, signature: '' }), KEYS)).toEqual({
      fault: 'changed',
    })
  }
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '{}',
  '"a"',
  JSON.stringify({ ...JWS, more: 1 }),
  JSON.stringify({ ...JWS, payload: 1 }),
  JSON.stringify(signJws('[]', KEY)),
  JSON.stringify(signJws('{"organization_id":1,"number":1,"previous":null}', KEY)),
  JSON.stringify(signJws('{"organization_id":"a","number":1}', KEY)),
])('%s is not a receipt', (text) => {
  expect(openReceipt(text, KEYS)).toEqual({ fault: 'no-receipt' })
})

test('the Ed25519 keys of a key set are read', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: KEY.publicKey, kid: KEY.id }
  expect(readKeySet(JSON.stringify({ keys: [key, { kty: 'RSA', kid: 'a' }, 7] }))).toEqual(KEYS)
  for (const text of ['', '[]', '{}', '{"keys":{}}']) expect(readKeySet(text)).toBeUndefined()
})
