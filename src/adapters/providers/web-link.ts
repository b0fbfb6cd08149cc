import { looseText } from './loose-value.ts'

/**
 * Reads a link that a client can open. Returns undefined for placeholders such as `"None"` or `"pending"`.
 */
export function webLink(value: unknown): string | undefined {
  const text = looseText(value)
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}
