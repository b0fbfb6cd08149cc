import { formatKey, keyBytes } from '../../domain/access/key-format.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** Of the 32 bytes of a key: chance, then a mark of it that only this deployment can make. */
const RANDOM_BYTES = 20
const MARK_BYTES = 12

/** A key whose second part proves that this deployment made it: a made-up one is known without asking the store. */
export function makeKey(secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES)
  const bytes = new Uint8Array(RANDOM_BYTES + MARK_BYTES)
  bytes.set(random)
  bytes.set(secrets.mark(random, MARK_BYTES), RANDOM_BYTES)
  return formatKey(bytes)
}

/** False for a key that was made before keys had marks. The key must be well-formed. */
export function isMarkedKey(key: string, secrets: Secrets): boolean {
  const bytes = keyBytes(key)
  return secrets.isMark(bytes.subarray(RANDOM_BYTES), bytes.subarray(0, RANDOM_BYTES))
}
