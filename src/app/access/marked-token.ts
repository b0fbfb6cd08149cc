import {
  formatKey,
  isWellFormedKey,
  keyBytes,
  LINK_START,
  SESSION_START,
  TOKEN_START,
  type TokenStart,
} from '../../domain/access/key-format.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** The 32 bytes of a token are random bytes, then a mark of them that only this deployment can make. */
const RANDOM_BYTES = 20
const MARK_BYTES = 12

/** The marked text begins differently for each kind and for API keys, so that no token passes as another kind. */
const KINDS: Record<TokenStart, string> = {
  [TOKEN_START]: 'operator:',
  [SESSION_START]: 'session:',
  [LINK_START]: 'link:',
}

export function makeToken(start: TokenStart, secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES)
  const bytes = new Uint8Array(RANDOM_BYTES + MARK_BYTES)
  bytes.set(random)
  bytes.set(secrets.mark(markedBytes(start, random), MARK_BYTES), RANDOM_BYTES)
  return formatKey(bytes, start)
}

/** Whether this deployment made the token. A forged one fails the check of its mark, so no query is needed. */
export function isOwnToken(token: string, start: TokenStart, secrets: Secrets): boolean {
  if (!isWellFormedKey(token, start)) return false
  const bytes = keyBytes(token)
  return secrets.isMark(bytes.subarray(RANDOM_BYTES), markedBytes(start, bytes.subarray(0, RANDOM_BYTES)))
}

function markedBytes(start: TokenStart, random: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(KINDS[start]), random])
}
