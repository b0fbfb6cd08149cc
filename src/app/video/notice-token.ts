import type { Secrets } from '../../ports/secrets.ts'

const RANDOM_BYTES = 24
/** Of the base64url that 24 bytes make. */
const RANDOM_CHARACTERS = 32
const HOLDER_CHARACTERS = 16
const MARK_CHARACTERS = 16
const DIGEST_CHARACTERS = 64
/** Without a holder: as they were made before notices had shares. */
const SHAPE = /^[\w-]{32}(?:[\da-f]{16}){1,2}$/

/**
 * What a vendor's notice about one task must present: chance, who it is for in a form that only this deployment can read,
 * and a mark that only this deployment can make. Only its digest is stored.
 */
export function makeNoticeToken(secrets: Secrets, organizationId: string): string {
  const random = secrets.randomBytes(RANDOM_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true })
  const digest = (text: string) => secrets.digest(text)
  const holder = shortDigest(`notice holder:${organizationId}`, digest)
  const front = `${random}${masked(holder, random, digest)}`
  return `${front}${markOf(front, digest)}`
}

/** What a token of ours says. */
export interface ReadNotice {
  /** The same for all tokens of an organization that were made under one secret, and for all that name none. */
  holder: string
  digest: string
}

/** Any client can post to this address. undefined for a token that we never made: it is recognised without a query. */
export function readNoticeToken(token: string, secrets: Secrets): ReadNotice | undefined {
  if (!SHAPE.test(token)) return undefined
  const front = token.slice(0, -MARK_CHARACTERS)
  // The mark says which secret the token was made under.
  const at = secrets.digests(`notice:${front}`).findIndex((digest) => {
    // Not in constant time: a guessed mark would only reach the store, which compares the whole token.
    return token.slice(-MARK_CHARACTERS) === startOf(digest)
  })
  if (at === -1) return undefined
  const digest = (text: string) => secrets.digests(text)[at] ?? ''
  const random = token.slice(0, RANDOM_CHARACTERS)
  const hidden = front.slice(RANDOM_CHARACTERS)
  return { holder: hidden === '' ? '' : masked(hidden, random, digest), digest: digest(token) }
}

/** The same keyed digest as for API keys: the rows alone are not enough to forge a notice. */
export function digestNoticeToken(token: string, secrets: Secrets): string {
  return secrets.digest(token)
}

export function noticeUrlOf(noticeBaseUrl: string, token: string): string {
  return `${noticeBaseUrl}/v1/video/result?token=${token}`
}

type Digest = (text: string) => string

/** No API key begins like this, so that a mark is never part of what is stored for one. */
function markOf(front: string, digest: Digest): string {
  return shortDigest(`notice:${front}`, digest)
}

/** A vendor sees every token: without the mask it could tell which tasks belong together. */
function masked(holder: string, random: string, digest: Digest): string {
  const mask = shortDigest(`notice mask:${random}`, digest)
  return (BigInt(`0x${holder}`) ^ BigInt(`0x${mask}`)).toString(16).padStart(HOLDER_CHARACTERS, '0')
}

function shortDigest(text: string, digest: Digest): string {
  return startOf(digest(text))
}

/** Of the digits alone: the name of a secret may stand before them. */
function startOf(digest: string): string {
  return digest.slice(-DIGEST_CHARACTERS).slice(0, MARK_CHARACTERS)
}
