import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readProvenance } from './provenance.ts'

const CLIP = readFileSync(new URL('../../../sandbox/media/1280x720.mp4', import.meta.url))
const SHA256 = '17549a7a0669d62e9b80cd03ef912fe67286265069ea246a4012c9258c469157'
const KEY = generateKeyPairSync('ed25519')

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A receipt with these members, and the key set of the gateway that signed it. */
function proofOf(members: object) {
  const head = encode({ alg: 'EdDSA', kid: 'one' })
  const payload = encode({ object: 'receipt', kind: 'video.clip', number: 2, previous: 'x', ...members })
  const signature = sign(null, Buffer.from(`${head}.${payload}`), KEY.privateKey).toString('base64url')
  const { x = '' } = KEY.publicKey.export({ format: 'jwk' })
  const key = { kty: 'OKP', crv: 'Ed25519', x, kid: 'one', use: 'sig', alg: 'EdDSA' } as const
  return { receipt: { protected: head, payload, signature }, keys: { keys: [key] } }
}

test('a file without a receipt: hash, size, picture and marks', async () => {
  expect(await readProvenance(new Blob([CLIP]))).toEqual({
    ...{ sha256: SHA256, bytes: 30_548, media_type: 'video/mp4' },
    ...{ duration_ms: 5_000, width: 1_280, height: 720 },
    marks: { c2pa: { state: 'none', issuer: null }, aigc: null },
    receipt: undefined,
  })
})

test.each(['sha256', 'source_sha256'])('a receipt that names the file as %s matches', async (member) => {
  const { receipt } = await readProvenance(CLIP, proofOf({ [member]: SHA256, task_id: 'task_1' }))
  expect(receipt).toMatchObject({ matches: true, content: { task_id: 'task_1' } })
})

test('a changed byte is found at any position', async () => {
  for (const at of [0, 5_000, CLIP.length - 1]) {
    const changed = Buffer.from(CLIP)
    changed[at] = (changed[at] ?? 0) ^ 1
    const { receipt } = await readProvenance(changed, proofOf({ sha256: SHA256 }))
    expect(receipt).toMatchObject({
      matches: false,
      fault: 'it is about another file, or the file was changed',
    })
  }
})

test('a receipt that names no file, or that another key signed, does not match', async () => {
  const faultOf = async (proof: ReturnType<typeof proofOf>) =>
    (await readProvenance(CLIP, proof)).receipt?.fault
  const { receipt } = proofOf({ sha256: SHA256 })
  expect(await faultOf(proofOf({}))).toBe('it names no file')
  expect(await faultOf({ receipt, keys: { keys: [] } })).toBe('receipt 1: the signature does not match')
})
