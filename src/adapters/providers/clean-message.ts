const READ_CHARACTERS = 4_000
const MESSAGE_CHARACTERS = 500

/** Anything shorter is more likely a word of the text than the secret itself. */
const SECRET_CHARACTERS_MIN = 4

/**
 * What a vendor said, fit for a client: without request ids, which are between the vendor and us, without what
 * the vendor may have echoed of our own secrets and of where it should send notices, on one line, and short. undefined when nothing is left.
 */
export function cleanMessage(
  text: string | undefined,
  { secrets }: { secrets: readonly string[] },
): string | undefined {
  if (text === undefined) return undefined
  let clean = text
  // Before the text is cut, which could leave half a secret that no search finds; the longest first, since one may begin with another.
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

/** Control characters, and those that turn the direction of the text around. */
const INVISIBLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** What an address may consist of, from end to end. */
const WORD = /[^\s"'<>()]+/g

/** The token in it lets its holder speak for the vendor. Also as JSON and forms spell a slash. */
const NOTICE_ADDRESS = /(?:\/|%2F)v1\\?(?:\/|%2F)video\\?(?:\/|%2F)result/i

/** `Request id: 0217...`, `(request_id=...)`, `traceId 5f3c...`: after a mark anything, else only what has a digit. */
const REQUEST_ID =
  / ?[([]?\b(?:request|req|trace|log)[ _-]?id\b["']?(?: ?[:=：] ?["']?[\w.-]+\b| (?=[\w-]*\d)[\w-]{6,})["']?[)\]]?\.?/gi
