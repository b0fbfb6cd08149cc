const READ_CHARACTERS = 4_000
const MESSAGE_CHARACTERS = 500

/** Minimum length of a redacted secret; shorter ones would match ordinary words. */
const SECRET_CHARACTERS_MIN = 4

/**
 * Prepares a vendor's message for a client: one short line, without request ids, our secrets and the address
 * for notices. Returns undefined when nothing is left.
 */
export function cleanMessage(
  text: string | undefined,
  { secrets }: { secrets: readonly string[] },
): string | undefined {
  if (text === undefined) return undefined
  let clean = text
  // Secrets are removed before the text is cut, and longer ones first, so that no part of one stays.
  for (const secret of secrets.toSorted((one, other) => other.length - one.length)) {
    if (secret.length >= SECRET_CHARACTERS_MIN) clean = clean.replaceAll(secret, '…')
  }
  clean = clean
    .slice(0, READ_CHARACTERS)
    .toWellFormed()
    .replace(INVISIBLE, ' ')
    .replace(/\s+/g, ' ')
    .replace(WORD, (word) => (NOTICE_ADDRESS.test(word) ? '…' : word))
    .replace(REQUEST_ID, '')
    .trim()
  if (clean === '') return undefined
  return clean.length > MESSAGE_CHARACTERS
    ? `${clean.slice(0, MESSAGE_CHARACTERS - 1).toWellFormed()}…`
    : clean
}

/** Control characters, and characters that change the direction of the text. */
const INVISIBLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** Longest run of characters of an address. */
const WORD = /[^\s"'<>()]+/g

/** Path of the address for notices, also with escaped slashes. Its token authenticates the vendor. */
const NOTICE_ADDRESS = /(?:\/|%2F)v1\\?(?:\/|%2F)video\\?(?:\/|%2F)result/i

/** Matches `Request id: 0217...`, `(request_id=...)`, `traceId 5f3c...`. Without a colon or `=` the id must have a digit. */
const REQUEST_ID =
  / ?[([]?\b(?:request|req|trace|log)[ _-]?id\b["']?(?: ?[:=：] ?["']?[\w.-]+\b| (?=[\w-]*\d)[\w-]{6,})["']?[)\]]?\.?/gi
