import { ApiError } from '../../domain/api-error.ts'
import type { ReceiptStore, StoredReceipt } from '../../ports/receipts.ts'
import type { Runtime } from '../runtime.ts'
import { findSigningKey } from './signing-keys.ts'
import type { ChainPosition } from './write-receipt.ts'

/** Maximum attempts. An attempt fails only when another replica was faster, so few are usually needed. */
const TRIES_MAX = 100

/** Signs an entry and adds it to the chain of its organization. An existing entry is returned unchanged. */
export type AppendReceipt = (
  entry: Pick<StoredReceipt, 'id' | 'organizationId' | 'keyId' | 'requestId'>,
  write: (position: ChainPosition) => string,
) => Promise<StoredReceipt>

/**
 * The store decides which replica gets the next number of a chain. A slower replica reads the new head and signs again.
 * This process adds the entries of one organization one after another, so that they do not compete.
 */
export function appendReceipt(
  tools: Pick<Runtime, 'clock' | 'secrets'> & { receipts: ReceiptStore },
): AppendReceipt {
  const { receipts, secrets, clock } = tools
  const last = new Map<string, Promise<unknown>>()

  return (entry, write) => {
    const before = last.get(entry.organizationId) ?? Promise.resolve()
    const made = before.then(() => append(entry, write))
    const done = made
      .catch(() => {})
      .then(() => {
        if (last.get(entry.organizationId) === done) last.delete(entry.organizationId)
      })
    last.set(entry.organizationId, done)
    return made
  }

  async function append(
    entry: Parameters<AppendReceipt>[0],
    write: Parameters<AppendReceipt>[1],
  ): Promise<StoredReceipt> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const there = await receipts.find(entry.id)
      if (there !== undefined) return there
      const receipt = await draft(entry, write)
      if (await receipts.add(receipt)) return receipt
    }
    throw new ApiError('store_unavailable', { cause: new Error('the chain of receipts is too busy') })
  }

  async function draft(
    entry: Parameters<AppendReceipt>[0],
    write: Parameters<AppendReceipt>[1],
  ): Promise<StoredReceipt> {
    const key = await findSigningKey(tools)
    const head = await receipts.findHead(entry.organizationId)
    const issuedAtMs = clock.nowMs()
    const number = (head?.number ?? 0) + 1
    const jws = secrets.sign(write({ number, previous: head?.hash ?? null, issuedAtMs }), key)
    const hash = secrets.sha256(`${jws.protected}.${jws.payload}.${jws.signature}`)
    return { ...entry, number, hash, jws: JSON.stringify(jws), madeAtMs: issuedAtMs }
  }
}
