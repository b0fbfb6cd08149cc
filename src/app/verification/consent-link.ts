import type { Secrets } from '../../ports/secrets.ts'

/** The path of the page where a verified person takes the consent back; the token follows. */
export const CONSENT_PATH = '/v1/video/assets/sessions/consent'

/** The number of the group, then a mark of it that only this deployment can make. A change of the secret leaves marks as they are. */
const NUMBER_BYTES = 16
const MARK_BYTES = 16
const TOKEN = /^[\w-]{43}$/
const GROUP_START = 'group_'

/** The same link each time, and as long as the group is kept: the person has nothing else to show. */
export type ConsentUrlOf = (groupId: string) => string

export function consentUrlOf({
  secrets,
  publicBaseUrl,
}: {
  secrets: Secrets
  /** Where a person's browser reaches us, without a slash at its end. */
  publicBaseUrl: () => string
}): ConsentUrlOf {
  return (groupId) => {
    const number = Buffer.from(groupId.slice(GROUP_START.length), 'hex')
    const bytes = Buffer.concat([number, secrets.mark(marked(number), MARK_BYTES)])
    return `${publicBaseUrl()}${CONSENT_PATH}/${bytes.toString('base64url')}`
  }
}

/** undefined for what we cannot have made: any client can request any address, and such a request needs no query. */
export function groupOfConsent(token: string, secrets: Secrets): string | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const number = bytes.subarray(0, NUMBER_BYTES)
  if (!secrets.isMark(bytes.subarray(NUMBER_BYTES), marked(number))) return undefined
  return `${GROUP_START}${number.toString('hex')}`
}

/** What the form of the page sends back: a page of another site, or a program that follows links, does not have it. */
export function confirmationOf(groupId: string, secrets: Secrets): string {
  return Buffer.from(secrets.mark(Buffer.from(`consent form ${groupId}`), MARK_BYTES)).toString('base64url')
}

export function isConfirmation(confirmation: string, groupId: string, secrets: Secrets): boolean {
  const bytes = Buffer.from(confirmation, 'base64url')
  return bytes.length === MARK_BYTES && secrets.isMark(bytes, Buffer.from(`consent form ${groupId}`))
}

/** Nothing else is marked like this, so that the mark of one is never that of the other. */
function marked(number: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('consent '), number])
}
