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
import { areMarkedBytes, makeMarkedBytes } from './marked-bytes.ts'

/** The marked text has a prefix for each kind, so no token passes as another kind or as an API key. */
const KINDS: Record<TokenStart, string> = {
  [TOKEN_START]: 'operator:',
  [SESSION_START]: 'session:',
  [LINK_START]: 'link:',
}

export function makeToken(start: TokenStart, secrets: Secrets): string {
  return formatKey(makeMarkedBytes(KINDS[start], secrets), start)
}

/** Whether this deployment made the token. The mark of a forged token is wrong, so no query is needed. */
export function isOwnToken(token: string, start: TokenStart, secrets: Secrets): boolean {
  return isWellFormedKey(token, start) && areMarkedBytes(keyBytes(token), KINDS[start], secrets)
}
