import type { Secrets } from '../../ports/secrets.ts'

/** Chance, then a mark of it that only this deployment can make. */
const RANDOM_BYTES = 20
const MARK_BYTES = 12
const STATE = /^[\w-]{43}$/

/** The path of our own address that a vendor sends the browser to; the state follows. */
export const RETURN_PATH = '/v1/video/assets/sessions/return'

/** What ties a browser that comes back to its verification. Only its digest is stored. */
export function makeState(secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES)
  const bytes = Buffer.concat([random, secrets.mark(marked(random), MARK_BYTES)])
  return bytes.toString('base64url')
}

/** What is stored for a new state. */
export function digestState(state: string, secrets: Secrets): string {
  return secrets.digest(textOf(state))
}

/** Under which digests it may be stored. None for what we cannot have made: any client can request any address, and such a request needs no query. */
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

/** No API key is marked like this, so that the mark of one is never that of the other. */
function marked(random: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('verification '), random])
}
