import type { Secrets } from '../../ports/secrets.ts'
import { areMarkedBytes, makeMarkedBytes } from '../access/marked-bytes.ts'

/** No API key has this prefix, so marks of states and keys never match. */
const PREFIX = 'verification '
const STATE = /^[\w-]{43}$/

/** Path of the page that a vendor sends the browser to; the state follows. */
export const RETURN_PATH = '/v1/video/assets/sessions/return'

/** The state identifies the verification of a returning browser. Only its digest is stored. */
export function makeState(secrets: Secrets): string {
  return makeMarkedBytes(PREFIX, secrets).toString('base64url')
}

export function digestState(state: string, secrets: Secrets): string {
  return secrets.digest(textOf(state))
}

/** Digests under which a state may be stored; empty, without a query, for a made-up state. */
export function digestsOfState(state: string, secrets: Secrets): readonly string[] {
  if (!STATE.test(state)) return []
  if (!areMarkedBytes(Buffer.from(state, 'base64url'), PREFIX, secrets)) return []
  return secrets.digests(textOf(state))
}

function textOf(state: string): string {
  return `${PREFIX}${state}`
}
