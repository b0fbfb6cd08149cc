import { createHash, timingSafeEqual } from 'node:crypto'

/** How the edge recognises the operator's programs, and how long one request of theirs may take, body and all. */
export interface AdminDoor {
  /** Takes as long for a wrong key as for the right one, whatever their lengths. */
  isKey(presented: string): boolean
  requestMsMax: number
  /** Of `PUBLIC_BASE_URL`; undefined where it is not set. */
  publicOrigin: string | undefined
}

/** As the contract has it. */
const REQUEST_MS_MAX = 30_000

/** Digests are of one length: comparing them tells nothing about the key, not even how long it is. */
export function createAdminKeyCheck(adminApiKey: string, publicBaseUrl?: string): AdminDoor {
  const expected = digestOf(adminApiKey)
  return {
    isKey: (presented) => timingSafeEqual(digestOf(presented), expected),
    requestMsMax: REQUEST_MS_MAX,
    publicOrigin: publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).origin,
  }
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
