import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { FlattenedJws, SigningKey } from '../../ports/secrets.ts'

const ALGORITHM = 'EdDSA'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

export function makeSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    id: thumbprintOf(x),
    publicKey: x,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  }
}

/** Returns the id of a key by RFC 7638 and 8037, which hash the required members in alphabetical order. */
function thumbprintOf(x: string): string {
  return sha256(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
}

export function signJws(text: string, input: Pick<SigningKey, 'id' | 'privateKey'>): FlattenedJws {
  const { id, privateKey } = input
  const head = encode(JSON.stringify({ alg: ALGORITHM, kid: id, typ: 'JOSE+JSON' }))
  const payload = encode(text)
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' })
  const signature = sign(null, Buffer.from(`${head}.${payload}`), key).toString('base64url')
  return { payload, protected: head, signature }
}

export type OpenedJws = { fault: 'changed' | 'unknown-key' } | { fault: undefined; text: string }

/**
 * Checks a signature with the public keys by id, and returns the signed text. Base64 has several spellings
 * of the same bytes; only the spelling of `signJws` is accepted.
 */
export function openJws(jws: FlattenedJws, keys: ReadonlyMap<string, string>): OpenedJws {
  const [head, payload, signature] = [jws.protected, jws.payload, jws.signature].map(decode)
  if (head === undefined || payload === undefined || signature === undefined) return { fault: 'changed' }
  const kid = kidOf(head.toString())
  if (kid === undefined) return { fault: 'changed' }
  const x = keys.get(kid)
  // A changed key set may have another key under this id.
  if (x === undefined || thumbprintOf(x) !== kid) return { fault: 'unknown-key' }
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isSigned = verify(null, Buffer.from(`${jws.protected}.${jws.payload}`), key, signature)
  return isSigned ? { fault: undefined, text: payload.toString() } : { fault: 'changed' }
}

function kidOf(head: string): string | undefined {
  try {
    const { alg, kid }: { alg?: unknown; kid?: unknown } = Object(JSON.parse(head))
    return alg === ALGORITHM && typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function decode(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
