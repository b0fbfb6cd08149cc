import type { Secrets } from '../../ports/secrets.ts'

/** Path of the page where a verified person revokes the consent; the token follows. */
export const CONSENT_PATH = '/v1/video/assets/sessions/consent'

/** A token has the group's number and a mark that only this deployment can make. Marks stay valid under a new secret. */
const NUMBER_BYTES = 16
const MARK_BYTES = 16
const TOKEN = /^[\w-]{43}$/
const GROUP_START = 'group_'

/** Returns the same link for as long as the group is kept, because the link is the person's only credential. */
export type ConsentUrlOf = (groupId: string) => string

export function consentUrlOf(tools: {
  secrets: Secrets
  /** Address of the gateway for browsers, without a final slash. */
  publicBaseUrl: () => string
}): ConsentUrlOf {
  const { secrets, publicBaseUrl } = tools
  return (groupId) => {
    const number = Buffer.from(groupId.slice(GROUP_START.length), 'hex')
    const bytes = Buffer.concat([number, secrets.mark(marked(number), MARK_BYTES)])
    return `${publicBaseUrl()}${CONSENT_PATH}/${bytes.toString('base64url')}`
  }
}

/** Returns undefined for a made-up token, without a query. */
export function groupOfConsent(token: string, secrets: Secrets): string | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const number = bytes.subarray(0, NUMBER_BYTES)
  if (!secrets.isMark(bytes.subarray(NUMBER_BYTES), marked(number))) return undefined
  return `${GROUP_START}${number.toString('hex')}`
}

/** Value of the page's form. A page of another site, or a program that follows links, does not have it. */
export function confirmationOf(groupId: string, secrets: Secrets): string {
  return Buffer.from(secrets.mark(Buffer.from(`consent form ${groupId}`), MARK_BYTES)).toString('base64url')
}

export function isConfirmation(confirmation: string, groupId: string, secrets: Secrets): boolean {
  const bytes = Buffer.from(confirmation, 'base64url')
  return bytes.length === MARK_BYTES && secrets.isMark(bytes, Buffer.from(`consent form ${groupId}`))
}

/** No other marked text has this prefix, so marks of different kinds never match. */
function marked(number: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('consent '), number])
}
