import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyCallback } from './callbacks.ts'
import { verifyReceipts } from './receipts.ts'

const SECRET = `whsec_${Buffer.from('a secret of the tests').toString('base64')}`
const BODY = '{"id":"task_1"}'
const NOW_MS = 1_767_323_045_000

function signed(body = BODY, atMs = NOW_MS) {
  const signature = new Webhook(SECRET).sign('msg_1', new Date(atMs), body)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(atMs / 1_000),
    'webhook-signature': `v1,bm90IHRoaXM= ${signature}`,
  }
}

test('a signed callback is returned, with plain or `Headers` headers and text or bytes', async () => {
  const callback = { body: BODY, secret: SECRET, nowMs: NOW_MS }
  expect(await verifyCallback({ ...callback, headers: signed() })).toEqual({ id: 'task_1' })
  expect(await verifyCallback({ ...callback, headers: new Headers(signed()) })).toEqual({ id: 'task_1' })
  const body = new TextEncoder().encode(BODY)
  expect(await verifyCallback({ ...callback, headers: signed(), body })).toEqual({ id: 'task_1' })
})

test.each([
  ['another body', { body: '{"id":"task_2"}' }],
  ['another secret', { secret: `whsec_${Buffer.from('another').toString('base64')}` }],
  ['a malformed secret', { secret: 'whsec_?' }],
  ['six minutes later', { nowMs: NOW_MS + 360_000 }],
  ['no headers', { headers: {} }],
  ['no signature', { headers: { ...signed(), 'webhook-signature': '' } }],
  ['a signature of another version', { headers: { ...signed(), 'webhook-signature': 'v2,abc' } }],
])('a callback with %s is refused', async (_name, change) => {
  const callback = { headers: signed(), body: BODY, secret: SECRET, nowMs: NOW_MS, ...change }
  await expect(verifyCallback(callback)).rejects.toThrow(/callback|secret/)
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs receipts as a gateway does. */
async function makeChain(length: number) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const receipts = []
  let previous: string | null = null
  for (let number = 1; number <= length; number += 1) {
    const head = encode({ alg: 'EdDSA', kid: 'one' })
    const payload = encode({ object: 'receipt', kind: 'video', number, previous, organization_id: 'org_1' })
    const signature = sign(null, Buffer.from(`${head}.${payload}`), privateKey).toString('base64url')
    previous = hash('sha256', `${head}.${payload}.${signature}`, 'base64url')
    receipts.push({ protected: head, payload, signature })
  }
  const keys = [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'one', use: 'sig', alg: 'EdDSA' }] as const
  return { receipts, keySet: { keys: [...keys] } }
}

test('a chain of receipts is valid, and so is a part of it', async () => {
  const { receipts, keySet } = await makeChain(4)
  const whole = await verifyReceipts(receipts, keySet)
  expect(whole.faults).toEqual([])
  expect(whole.receipts.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect((await verifyReceipts(receipts.slice(2), keySet)).faults).toEqual([])
})

test('a fault names each changed or missing receipt, and each receipt of another key', async () => {
  const { receipts, keySet } = await makeChain(4)
  const [one, two, three, four] = receipts as [Receipt, Receipt, Receipt, Receipt]
  const faultsOf = async (given: Receipt[]) => (await verifyReceipts(given, keySet)).faults
  expect(await faultsOf([one, three])).toEqual(['receipt 2: does not follow the one before it'])
  expect(await faultsOf([two, one])).toEqual(['receipt 2: does not follow the one before it'])
  const payload = encode({ object: 'receipt', kind: 'video', number: 2, previous: null })
  expect(await faultsOf([one, { ...two, payload }])).toEqual(['receipt 2: the signature does not match'])
  expect(await faultsOf([{ ...four, signature: `${four.signature}=` }])).toHaveLength(1)
  for (const head of ['?', 'e30x', 'bnVsbA', encode({ alg: 'EdDSA' }).slice(0, -3)])
    expect(await faultsOf([{ ...four, protected: head }]), head).toEqual([
      'receipt 1: the signature does not match',
    ])
  expect(await faultsOf((await makeChain(1)).receipts)).toEqual(['receipt 1: the signature does not match'])
})

interface Receipt {
  protected: string
  payload: string
  signature: string
}
