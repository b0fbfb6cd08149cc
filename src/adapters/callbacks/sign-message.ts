import { createHmac } from 'node:crypto'

/** The headers of the Standard Webhooks scheme: one signature for each secret, divided by spaces. */
export function signMessage({
  id,
  atMs,
  body,
  secrets,
}: {
  id: string
  atMs: number
  body: string
  secrets: readonly string[]
}): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(atMs / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** A secret is written with a prefix that says what it is; the key is the bytes behind it. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
}
