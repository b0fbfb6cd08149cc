import type { Secrets } from '../../ports/secrets.ts'

/** A state has random bytes, then a mark of them that only this deployment can make. */
const RANDOM_BYTES = 20
const MARK_BYTES = 12
const STATE = /^[\w-]{43}$/

/** Path of the page that a vendor sends the browser to; the state follows. */
export const RETURN_PATH = '/v1/video/assets/sessions/return'

/** Makes the state that identifies the verification of a returning browser. Only its digest is stored. */
export function makeState(secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES)
  const bytes = Buffer.concat([random, secrets.mark(marked(random), MARK_BYTES)])
  return bytes.toString('base64url')
}

/** Digest under which a new state is stored. */
export function digestState(state: string, secrets: Secrets): string {
  return secrets.digest(textOf(state))
}

/** Digests under which a state may be stored; empty for a state that was not made here, without a query. */
export function digestsOfState(state: string, secrets: Secrets): readonly string[] {
  if (!STATE.test(state)) return []
  const bytes = Buffer.from(state, 'base64url')
  const random = bytes.subarray(0, RANDOM_BYTES)
  if (!secrets.isMark(bytes.subarray(RANDOM_BYTES), marked(random))) return []
  return secrets.digests(textOf(state))
}

function textOf(state: string): string {
  return `verification ${state}`
}

/** No API key has this prefix, so that marks of states and keys never match. */
function marked(random: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('verification '), random])
}
