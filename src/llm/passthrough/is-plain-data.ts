import type { FrameLine } from './read-frame.ts'

/**
 * Whether what stands behind the name of an event is, at a glance, one object: `data: {` and, before the blank line, `}`.
 * Of an event that is not read this is all that is looked at. False may also be another spelling.
 */
export function isPlainData(text: string, start: number, end: number): boolean {
  return text.charCodeAt(end - 3) === CLOSING && text.startsWith(OPENING_DATA, start)
}

const OPENING_DATA = 'data: {'
const OPENING = 0x7b
const CLOSING = 0x7d

/** The same for lines in any spelling. */
export function holdObject(text: string, lines: readonly FrameLine[]): boolean {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return false
  let start = first.start
  while (start < first.end && isBlank(text.charCodeAt(start))) start += 1
  let end = last.end - 1
  while (end > last.start && isBlank(text.charCodeAt(end))) end -= 1
  return start < first.end && text.charCodeAt(start) === OPENING && text.charCodeAt(end) === CLOSING
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
