import { createHash, createHmac } from 'node:crypto'

/** Who signs, and for which part of the vendor. */
export interface Signer {
  accessKey: string
  secretKey: string
  region: string
  service: string
}

export interface SignedParts {
  method: 'POST'
  host: string
  path: string
  /** Names and values as they are, not yet encoded. */
  query: Readonly<Record<string, string>>
  contentType: string
  body: string
}

const ALGORITHM = 'HMAC-SHA256'

/** The headers to send besides the content type. What they vouch for must go out exactly as it is given here. */
export function sign(parts: SignedParts, signer: Signer, nowMs: number): Record<string, string> {
  const bodyHash = sha256(parts.body)
  const moment = basicTime(nowMs)
  const headers: [string, string][] = [
    ['content-type', parts.contentType],
    ['host', parts.host],
    ['x-content-sha256', bodyHash],
    ['x-date', moment],
  ]
  const names = headers.map(([name]) => name).join(';')
  const canonical = [
    parts.method,
    parts.path,
    canonicalQuery(parts.query),
    headers.map(([name, value]) => `${name}:${value}\n`).join(''),
    names,
    bodyHash,
  ].join('\n')
  const day = moment.slice(0, 8)
  const scope = [day, signer.region, signer.service, 'request'].join('/')
  const key = [day, signer.region, signer.service, 'request'].reduce(hmac, Buffer.from(signer.secretKey))
  const signature = hmac(key, [ALGORITHM, moment, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    host: parts.host,
    'x-content-sha256': bodyHash,
    'x-date': moment,
    authorization: `${ALGORITHM} Credential=${signer.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** `20260102T030405Z`. */
function basicTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
}

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => [encode(name), encode(value)] as const)
  // By name alone: with the `=` behind it, `a` would come after `a-b`.
  pairs.sort(([one], [other]) => (one < other ? -1 : 1))
  return pairs.map((pair) => pair.join('=')).join('&')
}

/** Everything but letters, digits and `-_.~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
