/** How much of a text is read; the rest of a long error message adds nothing. */
const READ_CHARACTERS = 2_000

/**
 * Takes everything out of a text that could open a door: keys, tokens, passwords, and of each address all but
 * its host, because vendors put secrets into paths and queries alike. Rather too much than too little.
 */
export function redact(text: string, { maxCharacters }: { maxCharacters: number }): string {
  let safe = text.length > READ_CHARACTERS ? withoutHalfWord(text.slice(0, READ_CHARACTERS)) : text
  for (const [secret, stand] of SECRETS) safe = safe.replace(secret, stand)
  return safe.length > maxCharacters ? `${safe.slice(0, maxCharacters - 1)}…` : safe
}

/** In this order: an address first, so that the rest sees only its host. */
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
  // Whatever else is this long and has no spaces is a digest, a token or a body.
  [/[\w+=-]{40,}/g, '…'],
]

/** A secret that was cut in two would no longer look like one. */
function withoutHalfWord(text: string): string {
  return text.replace(/\S+$/, '…')
}
