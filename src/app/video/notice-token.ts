import type { Secrets } from '../../ports/secrets.ts'

const RANDOM_BYTES = 24
/** Length of 24 bytes in base64url. */
const RANDOM_CHARACTERS = 32
const HOLDER_CHARACTERS = 16
const MARK_CHARACTERS = 16
const DIGEST_CHARACTERS = 64
/** The holder is optional, because older tokens have none. */
const SHAPE = /^[\w-]{32}(?:[\da-f]{16}){1,2}$/

/**
 * Token for a vendor's notice about one task: random bytes, a masked digest of the organization, and a mark that only
 * this deployment can make. Only the token's digest is stored.
 */
export function makeNoticeToken(secrets: Secrets, organizationId: string): string {
  const random = Buffer.from(secrets.randomBytes(RANDOM_BYTES)).toString('base64url')
  const digest = (text: string) => secrets.digest(text)
  const holder = shortDigest(`notice holder:${organizationId}`, digest)
  const front = `${random}${masked(holder, random, digest)}`
  // No API key begins with `notice:`, so a mark is never part of a stored key digest.
  return `${front}${shortDigest(`notice:${front}`, digest)}`
}

export interface ReadNotice {
  /** Equal for all tokens of an organization that were made with one secret, and for all tokens without a holder. */
  holder: string
  digest: string
}

/** Any client can post a notice. Returns undefined, without a query, for a token that this deployment never made. */
export function readNoticeToken(token: string, secrets: Secrets): ReadNotice | undefined {
  if (!SHAPE.test(token)) return undefined
  const front = token.slice(0, -MARK_CHARACTERS)
  // The mark tells which secret the token was made with.
  const at = secrets.digests(`notice:${front}`).findIndex((digest) => {
    // The comparison may take variable time, because a guessed mark only leads to a look-up of the whole token's digest.
    return token.slice(-MARK_CHARACTERS) === startOf(digest)
  })
  if (at === -1) return undefined
  const digest = (text: string) => secrets.digests(text)[at] ?? ''
  const random = token.slice(0, RANDOM_CHARACTERS)
  const hidden = front.slice(RANDOM_CHARACTERS)
  return { holder: hidden === '' ? '' : masked(hidden, random, digest), digest: digest(token) }
}

/** A keyed digest like that of API keys, so that the rows alone are not enough to forge a notice. */
export function digestNoticeToken(token: string, secrets: Secrets): string {
  return secrets.digest(token)
}

export function noticeUrlOf(noticeBaseUrl: string, token: string): string {
  return `${noticeBaseUrl}/v1/video/result?token=${token}`
}

type Digest = (text: string) => string

/** Vendors see the tokens of their tasks. Without the mask they could tell which tasks belong to one organization. */
function masked(holder: string, random: string, digest: Digest): string {
  const mask = shortDigest(`notice mask:${random}`, digest)
  return (BigInt(`0x${holder}`) ^ BigInt(`0x${mask}`)).toString(16).padStart(HOLDER_CHARACTERS, '0')
}

function shortDigest(text: string, digest: Digest): string {
  return startOf(digest(text))
}

/** Returns the first digits of a digest. The name of a secret, which may precede the digits, is left out. */
function startOf(digest: string): string {
  return digest.slice(-DIGEST_CHARACTERS).slice(0, MARK_CHARACTERS)
}
