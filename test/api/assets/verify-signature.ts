import { webcrypto } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Account {
  accessKey: string
  secretKey: string
  region: string
  service: string
}

/**
 * Checks a signed request like the vendor, from the bytes that arrived. It is written from the vendor's description
 * and shares no line with the signer, so that a mistake in either of them shows.
 */
export async function verifySignature(
  request: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>,
  body: Uint8Array,
  account: Account,
): Promise<string[]> {
  const faults: string[] = []
  const sent = (wanted: string): string => {
    const values: string[] = []
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      const value = request.rawHeaders[at + 1]
      if (request.rawHeaders[at]?.toLowerCase() === wanted && value !== undefined) values.push(value.trim())
    }
    if (values.length !== 1) faults.push(`${wanted} came ${values.length} times`)
    return values.join()
  }

  const match =
    /^HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/([^/,\s]+)\/request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      sent('authorization'),
    )
  if (match === null) return [...faults, 'the authorization header cannot be read']
  const [, accessKey = '', day = '', region = '', service = '', list = '', signature = ''] = match
  if (accessKey !== account.accessKey) faults.push('another access key')
  if (region !== account.region || service !== account.service) faults.push('another scope')
  if (list !== 'content-type;host;x-content-sha256;x-date') faults.push(`signed headers: ${list}`)

  const moment = sent('x-date')
  if (!/^\d{8}T\d{6}Z$/.test(moment) || !moment.startsWith(day))
    faults.push('the date is not that of the scope')
  const digest = hex(await webcrypto.subtle.digest('SHA-256', Uint8Array.from(body)))
  if (sent('x-content-sha256') !== digest) faults.push('the body is not the one that was hashed')

  const [path = '', query = ''] = (request.url ?? '').split('?')
  let canonical = `${request.method}\n${path}\n${sortedByName(query)}\n`
  for (const name of list.split(';')) canonical += `${name}:${sent(name)}\n`
  canonical += `\n${list}\n${digest}`

  const hashed = hex(await webcrypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical)))
  const text = `HMAC-SHA256\n${moment}\n${day}/${region}/${service}/request\n${hashed}`
  let key: Uint8Array<ArrayBuffer> = new TextEncoder().encode(account.secretKey)
  for (const step of [day, region, service, 'request']) key = await keyed(key, step)
  if (hex(await keyed(key, text)) !== signature) faults.push('the signature does not match')
  return faults
}

function sortedByName(query: string): string {
  const pairs = query.split('&')
  const names = pairs.map((pair) => pair.slice(0, pair.indexOf('='))).sort()
  return names.map((name) => pairs.find((pair) => pair.startsWith(`${name}=`))).join('&')
}

async function keyed(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('raw', secret, how, false, ['sign'])
  return new Uint8Array(await webcrypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
