import type { ApiTypes } from './api-types.ts'
import { fromBase64 } from './base64.ts'

export interface ReceivedCallback {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as received, before it is parsed as JSON. */
  body: string | Uint8Array<ArrayBuffer>
  /** Secret of the organization, `whsec_...`. */
  secret: string
  /** Left out: now. */
  nowMs?: number
}

const AGE_SECONDS_MAX = 300

/** Returns the task or the event that arrived; throws when its signature is wrong or its time is five minutes off or more. */
export async function verifyCallback({
  headers,
  body,
  secret,
  nowMs = Date.now(),
}: ReceivedCallback): Promise<ApiTypes['Task'] | ApiTypes['Event']> {
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name]) ?? ''
  const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')]
  if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) < AGE_SECONDS_MAX))
    throw new Error('The time of the callback is missing, or five minutes off or more.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const secretBytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (secretBytes === undefined) throw new Error('The secret is not whsec_ and base64.')
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  const signed = new Uint8Array([...new TextEncoder().encode(`${id}.${timestamp}.`), ...bytes])
  for (const one of String(read('webhook-signature')).split(' ')) {
    const signature = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
      return JSON.parse(new TextDecoder().decode(bytes))
  }
  throw new Error('The signature of the callback is not right.')
}
