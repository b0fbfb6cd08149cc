/**
 * Visits the members of the object that opens at `start`, in order, with the ranges of their values; stops when `visit`
 * returns true, or before the value of `stopAt`. Returns the offset of the closing brace, of the stop, or of the cut.
 *
 * `text` is valid JSON, perhaps cut off: a string, or bytes read as latin1, so that its offsets are those of the bytes.
 * It is searched, not validated. Latin1 garbles a name that is not ASCII, which is fine: callers look for ASCII names.
 */
export function walkMembers(text: string, start: number, visit: VisitMember, stopAt?: string): number {
  let at = skipBlank(text, start + 1)
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = skipString(text, at)
    // Only a text that was cut off ends here.
    if (nameEnd >= text.length) return text.length
    const name = readName(text, at, nameEnd)
    const valueStart = skipBlank(text, skipBlank(text, nameEnd) + 1)
    if (name === stopAt) return valueStart
    const valueEnd = skipValue(text, valueStart)
    if (visit(name, valueStart, valueEnd) === true) return valueEnd
    at = skipBlank(text, valueEnd)
    if (text.charCodeAt(at) === COMMA) at = skipBlank(text, at + 1)
  }
  return at
}

export type VisitMember = (name: string, valueStart: number, valueEnd: number) => boolean | undefined

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Distance of two escaped quotes up to which reading each character is faster than a search for the next quote. */
const NEAR_LENGTH = 8
const WALKED_LENGTH = 64

/** Returns the offset behind the closing quote. Searches for it, and walks where escaped quotes are many. */
function skipString(text: string, opening: number): number {
  let before = opening
  let quote = text.indexOf('"', opening + 1)
  while (quote !== -1 && isEscaped(text, quote)) {
    let at = quote + 1
    const end = quote - before < NEAR_LENGTH ? at + WALKED_LENGTH : at
    for (; at < end; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at + 1
      if (code === BACKSLASH) at += 1
    }
    before = at - 1
    quote = text.indexOf('"', at)
  }
  return quote === -1 ? text.length : quote + 1
}

/** A quote is part of its string when an odd number of backslashes stands before it. */
export function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at -= 1
  return (quote - at) % 2 === 1
}

/** A name may be written with escapes. */
function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1)
  if (!name.includes('\\')) return name
  const spelled: unknown = JSON.parse(`"${name}"`)
  return String(spelled)
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return skipString(text, start)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return skipNested(text, start)
  let at = start
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at += 1
  return at
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || isBlank(code)
}

function skipNested(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(text, at)
      continue
    }
    at += 1
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return at
}

export function skipBlank(text: string, start: number): number {
  let at = start
  while (isBlank(text.charCodeAt(at))) at += 1
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
