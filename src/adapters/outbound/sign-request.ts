import { createHash, createHmac } from 'node:crypto'

/** Credentials of a signature, and the service that checks it. */
export interface Signer {
  accessKey: string
  secretKey: string
  region: string
  service: string
}

/** Constants of a signature scheme like AWS version 4. */
export interface SigningScheme {
  algorithm: string
  /** Prefix of the secret key. */
  keyStart: string
  /** Last part of the scope. */
  scopeEnd: string
}

export interface RequestToSign {
  method: string
  /** Encoded path as it is sent. */
  path: string
  /** Names and values, not encoded. */
  query: Readonly<Record<string, string>>
  /** Headers in lower case, sorted by name. */
  headers: readonly (readonly [string, string])[]
  bodyHash: string
  /** Time of the signature, from `basicTime`. */
  moment: string
}

/** Returns the header `authorization`. The signed parts must be sent unchanged. */
export function signRequest(request: RequestToSign, signer: Signer, scheme: SigningScheme): string {
  const { method, path, query, headers, bodyHash, moment } = request
  const names = headers.map(([name]) => name).join(';')
  const written = headers.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [method, path, canonicalQuery(query), written, names, bodyHash].join('\n')
  const parts = [moment.slice(0, 8), signer.region, signer.service, scheme.scopeEnd]
  const scope = parts.join('/')
  const key = parts.reduce(hmac, Buffer.from(scheme.keyStart + signer.secretKey))
  const signature = hmac(key, [scheme.algorithm, moment, scope, sha256Hex(canonical)].join('\n'))
  return `${scheme.algorithm} Credential=${signer.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature.toString('hex')}`
}

/** Formats a time as `20260102T030405Z`. */
export function basicTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
}

export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const,
  )
  // Pairs are sorted by name alone: with `=` behind it, `a` would come after `a-b`.
  pairs.sort(([one], [other]) => (one < other ? -1 : 1))
  return pairs.map((pair) => pair.join('=')).join('&')
}

/** Encodes all characters except letters, digits and `-_.~`. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
