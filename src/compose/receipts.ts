import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { parseOrNone } from '@sluice/dialects/json/parse-or-none'
import { openJws, sha256 } from '../adapters/system/signatures.ts'
import type { ChainLink } from '../domain/receipts/check-chain.ts'

export type ReceiptFault = 'no-receipt' | 'unknown-key' | 'changed'

export type OpenedReceipt =
  | { fault: ReceiptFault }
  | { fault: undefined; link: ChainLink; receipt: JsonObject }

/** Checks one receipt with the public keys of a key set, without calling any server. */
export function openReceipt(text: string, keys: ReadonlyMap<string, string>): OpenedReceipt {
  const jws = parseOrNone(text)
  const names = isJsonObject(jws) ? Object.keys(jws).toSorted().join() : ''
  if (!isJsonObject(jws) || names !== 'payload,protected,signature') return { fault: 'no-receipt' }
  const [payload, head, signature] = [jws.payload, jws.protected, jws.signature]
  if (typeof payload !== 'string' || typeof head !== 'string' || typeof signature !== 'string')
    return { fault: 'no-receipt' }
  const opened = openJws({ payload, protected: head, signature }, keys)
  if (opened.fault !== undefined) return { fault: opened.fault }
  const receipt = parseOrNone(opened.text)
  if (!isJsonObject(receipt)) return { fault: 'no-receipt' }
  const { organization_id: organizationId, number, previous } = receipt
  if (typeof organizationId !== 'string' || typeof number !== 'number') return { fault: 'no-receipt' }
  if (previous !== null && typeof previous !== 'string') return { fault: 'no-receipt' }
  const hash = sha256(`${head}.${payload}.${signature}`)
  return { fault: undefined, link: { organizationId, number, previous, hash }, receipt }
}

/** Returns the public keys of a JSON Web Key Set by key id; undefined for another text. */
export function readKeySet(text: string): Map<string, string> | undefined {
  const set = parseOrNone(text)
  if (!isJsonObject(set) || !Array.isArray(set.keys)) return undefined
  const keys = new Map<string, string>()
  for (const key of set.keys) {
    if (!isJsonObject(key) || key.kty !== 'OKP' || key.crv !== 'Ed25519') continue
    if (typeof key.kid === 'string' && typeof key.x === 'string') keys.set(key.kid, key.x)
  }
  return keys
}
