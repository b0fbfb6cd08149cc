import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [keysFile = '', ...files] = process.argv.slice(2)
const { keys } = JSON.parse(readFileSync(keysFile, 'utf8'))

function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new Error('not the base64url that was signed')
  return bytes
}

let before: { number: number; hash: string } | undefined
for (const file of files) {
  const jws = JSON.parse(readFileSync(file, 'utf8'))
  const { alg, kid } = JSON.parse(decode(jws.protected).toString())
  const jwk = keys.find((key: { kid: string }) => key.kid === kid)
  if (alg !== 'EdDSA' || jwk === undefined) throw new Error(`${file}: no such key`)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${jws.protected}.${jws.payload}`)
  if (!verify(null, signed, key, decode(jws.signature)))
    throw new Error(`${file}: the signature does not match`)
  const receipt = JSON.parse(decode(jws.payload).toString())
  if (before && (receipt.number !== before.number + 1 || receipt.previous !== before.hash))
    throw new Error(`${file}: does not follow the receipt before it`)
  const whole = `${jws.protected}.${jws.payload}.${jws.signature}`
  before = { number: receipt.number, hash: createHash('sha256').update(whole).digest('base64url') }
  console.log(`${file}: number ${receipt.number}, ${receipt.amount_micros ?? 0} micros`)
}
