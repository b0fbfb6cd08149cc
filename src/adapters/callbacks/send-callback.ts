import { createHmac } from 'node:crypto'
import type { Delivery, SendCallback } from '../../ports/callbacks.ts'
import type { GuardedClient } from '../outbound/guarded-client.ts'
import { NetworkError } from '../outbound/network-error.ts'
import { readRetryAfterMs } from '../outbound/retry-after.ts'

const TOTAL_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 64 * 1024

/** Posts messages with the guarded client: only HTTPS, only public addresses and `OUTBOUND_ALLOW`, and no redirects. */
export function createCallbackSender({ client }: { client: Pick<GuardedClient, 'send'> }): SendCallback {
  return async (message, signal) => {
    try {
      const { status, headers } = await client.send({
        operation: 'callback',
        holder: message.organizationId,
        url: message.url,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'sluice', ...signMessage(message) },
        body: message.body,
        signal,
        totalTimeoutMs: TOTAL_TIMEOUT_MS,
        maxBytes: ANSWER_BYTES_MAX,
        statusIsEnough: true,
      })
      return { kind: 'answered', status, retryAfterMs: readRetryAfterMs(headers) }
    } catch (error) {
      return error instanceof NetworkError ? afterFailure(error) : BROKEN
    }
  }
}

const BROKEN: Delivery = { kind: 'failed', word: 'broken', mayBeRepeated: true }

/** A call that got no slot, or was aborted before it was sent, is no attempt. Any other failure is one. */
function afterFailure({ kind, taken }: NetworkError): Delivery {
  if (kind === 'busy' || (kind === 'aborted' && taken === 'no')) return { kind: 'not-sent' }
  return { kind: 'failed', word: kind, mayBeRepeated: kind !== 'forbidden' }
}

/** Returns the headers of Standard Webhooks, with one signature per secret, separated by spaces. */
export function signMessage(input: {
  id: string
  atMs: number
  body: string
  secrets: readonly string[]
}): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const { id, atMs, body, secrets } = input
  const timestamp = String(Math.floor(atMs / 1_000))
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).update(
      `${id}.${timestamp}.${body}`,
    )
    return `v1,${hmac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
