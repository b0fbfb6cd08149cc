import type { Secrets } from '../../ports/secrets.ts'

const RANDOM_BYTES = 24
/** Of the base64url that 24 bytes make. */
const RANDOM_CHARACTERS = 32
const MARK_CHARACTERS = 16
const SHAPE = /^[\w-]{32}[\da-f]{16}$/

/**
 * What a vendor's notice about one task must present: chance, and a mark that only this deployment can make. Only its
 * digest is stored.
 */
export function makeNoticeToken(secrets: Secrets): string {
  const random = secrets.randomBytes(RANDOM_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  return `${random}${markOf(random, secrets)}`
}

/** Anybody can post to us. What we never made is known without asking the store. */
export function isNoticeToken(token: string, secrets: Secrets): boolean {
  if (!SHAPE.test(token)) return false
  // Not in constant time: whoever guessed a mark would only reach the store, which knows the whole token.
  return token.slice(RANDOM_CHARACTERS) === markOf(token.slice(0, RANDOM_CHARACTERS), secrets)
}

/** The same keyed digest as for API keys: the store alone helps nobody to forge a notice. */
export function digestNoticeToken(token: string, secrets: Secrets): string {
  return secrets.digest(token)
}

export function noticeUrlOf(noticeBaseUrl: string, token: string): string {
  return `${noticeBaseUrl}/v1/video/result?token=${token}`
}

/** No API key begins like this, so that a mark is never part of what is stored for one. */
function markOf(random: string, secrets: Secrets): string {
  return secrets.digest(`notice:${random}`).slice(0, MARK_CHARACTERS)
}
