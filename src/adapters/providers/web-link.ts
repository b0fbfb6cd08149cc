import { looseText } from './loose-value.ts'

/** Reads a link that a client can open; undefined for placeholders such as `"None"`. */
export function webLink(value: unknown): string | undefined {
  const text = looseText(value)
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}
