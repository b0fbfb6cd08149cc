/** Maximum length of the text that is read; the rest of a long error message adds nothing. */
const READ_CHARACTERS = 2_000

/**
 * Removes keys, tokens and passwords from a text. Only the host of an address stays, because vendors put
 * secrets into paths and queries. It removes too much rather than too little.
 */
export function redact(text: string, { maxCharacters }: { maxCharacters: number }): string {
  // The last word is removed, because a secret that was cut in two would not match a pattern.
  let safe = text.length > READ_CHARACTERS ? text.slice(0, READ_CHARACTERS).replace(/\S+$/, '…') : text
  for (const [secret, replacement] of SECRETS) safe = safe.replace(secret, replacement)
  return safe.length > maxCharacters ? `${safe.slice(0, maxCharacters - 1)}…` : safe
}

/** Patterns in order: addresses first, so that the others see only their hosts. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s"'<>?#]*@)?([^\s"'<>/?#@]*)[^\s"'<>]*/gi, '$1$2/…'],
  [/(\/[^\s"'<>?]*)\?[^\s"'<>]+/g, '$1?…'],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 …'],
  [
    /\b([\w-]{0,40}(?:api[-_ ]?key|access[-_ ]?key|admin[-_ ]?key|secret|password|passwd|authorization|token|signature|credential)[\w-]{0,20})(["']?\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s,;&}]+)/gi,
    '$1$2…',
  ],
  [/\bsk-[\w-]+/g, 'sk-…'],
  [/\bwhsec_[\w+/=-]+/g, 'whsec_…'],
  // Other texts of this length without spaces are digests, tokens or bodies.
  [/[\w+=-]{40,}/g, '…'],
]
