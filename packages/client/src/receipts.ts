import type { ApiTypes } from './api-types.ts'
import { fromBase64Url, toBase64Url } from './base64.ts'
import type { Call } from './call.ts'

/** Decoded receipt; its other members depend on its kind. */
export interface ReceiptContent {
  object: 'receipt'
  kind: string
  /** Place in the chain of the organization, from 1. */
  number: number
  /** SHA-256 of the receipt before it; null in the first one. */
  previous: string | null
  organization_id: string
  [member: string]: unknown
}

export interface VerifiedReceipts {
  /** Contents with a valid signature, in the given order. */
  receipts: ReceiptContent[]
  /** One text for each problem; empty when all signatures are valid and the chain has no gap. */
  faults: string[]
}

export function receiptsOf(call: Call) {
  return {
    ofVideo: (id: string) =>
      call.json<ApiTypes['Receipt']>(`/v1/video/generations/${encodeURIComponent(id)}/receipt`),
    /** Takes the `x-request-id` of a text reply, or the `group_id` of a person who revoked the consent. */
    ofRequest: (requestId: string) =>
      call.json<ApiTypes['Receipt']>(`/v1/usage/${encodeURIComponent(requestId)}/receipt`),
    keys: () => call.json<ApiTypes['ReceiptKeysReply']>('/.well-known/sluice-receipts.json'),
  }
}

/** Checks receipts of one organization offline, oldest first: each signature, and that each follows the one before it. */
export async function verifyReceipts(
  receipts: readonly ApiTypes['Receipt'][],
  { keys }: ApiTypes['ReceiptKeysReply'],
): Promise<VerifiedReceipts> {
  const held: ReceiptContent[] = []
  const faults: string[] = []
  let before: { number: number; hash: string } | undefined
  for (const [index, receipt] of receipts.entries()) {
    const name = `receipt ${index + 1}`
    const content = await contentOf(receipt, keys)
    if (content === undefined) {
      faults.push(`${name}: the signature does not match`)
      before = undefined
      continue
    }
    held.push(content)
    const { number, previous } = content
    const isFirst = number === 1
    if (isFirst !== (previous === null)) faults.push(`${name}: only receipt number 1 has no previous`)
    else if (before && (number !== before.number + 1 || previous !== before.hash))
      faults.push(`${name}: does not follow the one before it`)
    const whole = `${receipt.protected}.${receipt.payload}.${receipt.signature}`
    before = {
      number,
      hash: toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(whole)))),
    }
  }
  return { receipts: held, faults }
}

/** Returns undefined when the signature is not valid, or its key is not among `keys`. */
async function contentOf(
  { protected: head, payload, signature }: ApiTypes['Receipt'],
  keys: ApiTypes['ReceiptKeysReply']['keys'],
): Promise<ReceiptContent | undefined> {
  const { alg, kid } = parse(head) ?? {}
  const jwk = keys.find((key) => key.kid === kid)
  const bytes = fromBase64Url(signature)
  if (alg !== 'EdDSA' || jwk === undefined || bytes === undefined) return undefined
  const { kty, crv, x } = jwk
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  const holds = await crypto.subtle.verify('Ed25519', key, bytes, encode(`${head}.${payload}`))
  return holds ? (parse(payload) as ReceiptContent | undefined) : undefined
}

function parse(text: string): Record<string, unknown> | undefined {
  const bytes = fromBase64Url(text)
  try {
    return bytes && Object(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
