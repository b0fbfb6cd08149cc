import type { Clock } from '../../ports/clock.ts'
import type { ReceiptKey, ReceiptStore } from '../../ports/receipts.ts'
import type { SigningKey } from '../../ports/secrets.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Runtime } from '../runtime.ts'

export const signingKeyBoundTo = (id: string) => `receipt-key:${id}`

interface KeyTools extends Pick<Runtime, 'clock' | 'secrets'> {
  receipts: Pick<ReceiptStore, 'listKeys' | 'addFirstKey'>
}

/** Returns the key that signs now, equal on every replica. The first receipt of a deployment makes the key. */
export async function findSigningKey(tools: KeyTools): Promise<Pick<SigningKey, 'id' | 'privateKey'>> {
  const { receipts, secrets } = tools
  const [known] = await receipts.listKeys()
  if (known === undefined) await receipts.addFirstKey(draftKey(tools))
  const [key] = known === undefined ? await receipts.listKeys() : [known]
  const stored = key?.encryptedPrivateKey ?? undefined
  const privateKey =
    key === undefined || stored === undefined ? undefined : secrets.decrypt(stored, signingKeyBoundTo(key.id))
  if (key === undefined || privateKey === undefined)
    throw new Error('the key that signs receipts cannot be read: run "sluice receipt rotate-key"')
  return { id: key.id, privateKey }
}

export interface KeyRotation {
  kid: string
  /** Number of keys that signed before; their receipts stay valid. */
  earlierKeys: number
}

export type RotateReceiptKey = () => Promise<KeyRotation>

/** Replaces the signing key. The public keys of earlier keys stay, and their private keys are erased. */
export function rotateReceiptKey(
  input: AuditTools &
    Pick<Runtime, 'secrets'> & {
      receipts: Pick<ReceiptStore, 'listKeys' | 'replaceKey'>
    },
): RotateReceiptKey {
  const { receipts, secrets, ...tools } = input
  return async () => {
    const earlier = await receipts.listKeys()
    const key = draftKey({ secrets, clock: tools.clock })
    const act = { action: 'receipt.rotate_key', organizationId: null, subject: key.id, detail: {} }
    await receipts.replaceKey(key, draftAudit(act, tools))
    return { kid: key.id, earlierKeys: earlier.length }
  }
}

function draftKey({ secrets, clock }: Pick<KeyTools, 'secrets' | 'clock'>): ReceiptKey {
  const { id, publicKey, privateKey } = secrets.makeSigningKey()
  const encryptedPrivateKey = secrets.encrypt(privateKey, signingKeyBoundTo(id))
  return { id, publicKey, encryptedPrivateKey, createdAtMs: clock.nowMs() }
}

/** A JSON Web Key Set (RFC 7517) of every key that ever signed, the newest first. */
export interface KeySet {
  keys: { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }[]
}

/** Anyone may call `listReceiptKeys` without an API key, so the store is queried at most once a second. */
const FRESH_MS = 1_000

export type ListReceiptKeys = () => Promise<KeySet>

export function listReceiptKeys(tools: {
  receipts: Pick<ReceiptStore, 'listKeys'>
  clock: Clock
}): ListReceiptKeys {
  const { receipts, clock } = tools
  let read: { atMs: number; keys: Promise<KeySet> } | undefined
  return () => {
    const nowMs = clock.monotonicMs()
    if (read === undefined || nowMs - read.atMs >= FRESH_MS) {
      const keys = receipts.listKeys().then(keySetOf)
      keys.catch(() => {
        read = undefined
      })
      read = { atMs: nowMs, keys }
    }
    return read.keys
  }
}

function keySetOf(keys: readonly ReceiptKey[]): KeySet {
  return {
    keys: keys.map(({ id, publicKey }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: publicKey,
      kid: id,
      use: 'sig',
      alg: 'EdDSA',
    })),
  }
}
