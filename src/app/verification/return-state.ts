import type { Secrets } from '../../ports/secrets.ts'

const STATE_BYTES = 32
const STATE = /^[\w-]{43}$/

/** The path of our own address that a vendor sends the browser to; the state follows. */
export const RETURN_PATH = '/v1/video/assets/sessions/return'

/** What ties a browser that comes back to its verification. Only its digest is stored. */
export function makeState(secrets: Secrets): string {
  return secrets.randomBytes(STATE_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** undefined for what we cannot have made: the store need not be asked. */
export function digestState(state: string, secrets: Secrets): string | undefined {
  return STATE.test(state) ? secrets.digest(`verification ${state}`) : undefined
}
