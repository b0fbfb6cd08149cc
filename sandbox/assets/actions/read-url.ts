import { invalidParameter } from '../call-refused.ts'
import type { Fields } from '../fields.ts'

const CHARACTERS_MAX = 2_048

/** Plain HTTP too: the sandbox's own samples have it, and so has a gateway on the same machine. */
export function readUrl(fields: Fields, name: string): URL {
  const url = URL.parse(fields.text(name, { charactersMax: CHARACTERS_MAX }))
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw invalidParameter(name, 'an HTTP address')
  return url
}
