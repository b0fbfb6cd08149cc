import { looseText } from './loose-value.ts'

/** A link that a client can open; a vendor's `"None"` or `"pending"` in its place is none. */
export function webLink(value: unknown): string | undefined {
  const text = looseText(value)
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}
