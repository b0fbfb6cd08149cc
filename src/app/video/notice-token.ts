import type { Secrets } from '../../ports/secrets.ts'

const RANDOM_BYTES = 24
/** Of the base64url that 24 bytes make. */
const RANDOM_CHARACTERS = 32
const HOLDER_CHARACTERS = 16
const MARK_CHARACTERS = 16
/** Without a holder: as they were made before notices had shares. */
const SHAPE = /^[\w-]{32}(?:[\da-f]{16}){1,2}$/

/**
 * What a vendor's notice about one task must present: chance, who it is for in a form that only this deployment can read,
 * and a mark that only this deployment can make. Only its digest is stored.
 */
export function makeNoticeToken(secrets: Secrets, organizationId: string): string {
  const random = secrets.randomBytes(RANDOM_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const holder = shortDigest(`notice holder:${organizationId}`, secrets)
  const front = `${random}${masked(holder, random, secrets)}`
  return `${front}${markOf(front, secrets)}`
}

/** Any client can post to this address. A token that we never made is recognised without a query. */
export function isNoticeToken(token: string, secrets: Secrets): boolean {
  if (!SHAPE.test(token)) return false
  // Not in constant time: a guessed mark would only reach the store, which compares the whole token.
  return token.slice(-MARK_CHARACTERS) === markOf(token.slice(0, -MARK_CHARACTERS), secrets)
}

/** The same for all tokens of an organization, and for all that name none. The token must be one of ours. */
export function holderOfNotice(token: string, secrets: Secrets): string {
  const random = token.slice(0, RANDOM_CHARACTERS)
  const hidden = token.slice(RANDOM_CHARACTERS, -MARK_CHARACTERS)
  return hidden === '' ? '' : masked(hidden, random, secrets)
}

/** The same keyed digest as for API keys: the rows alone are not enough to forge a notice. */
export function digestNoticeToken(token: string, secrets: Secrets): string {
  return secrets.digest(token)
}

export function noticeUrlOf(noticeBaseUrl: string, token: string): string {
  return `${noticeBaseUrl}/v1/video/result?token=${token}`
}

/** No API key begins like this, so that a mark is never part of what is stored for one. */
function markOf(front: string, secrets: Secrets): string {
  return secrets.digest(`notice:${front}`).slice(0, MARK_CHARACTERS)
}

/** A vendor sees every token: without the mask it could tell which tasks belong together. */
function masked(holder: string, random: string, secrets: Secrets): string {
  const mask = shortDigest(`notice mask:${random}`, secrets)
  return (BigInt(`0x${holder}`) ^ BigInt(`0x${mask}`)).toString(16).padStart(HOLDER_CHARACTERS, '0')
}

function shortDigest(text: string, secrets: Secrets): string {
  return secrets.digest(text).slice(0, HOLDER_CHARACTERS)
}
