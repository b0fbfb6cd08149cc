const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Below this many bytes a loop is faster than a call of `indexOf`. */
const SHORT_BYTES = 64
const NOWHERE = -1

/** Treatment of U+0000 and lone surrogates, which are valid JSON but which no store can keep. */
export type Unstorable = 'refuse' | 'pass'

export const TOO_DEEP = -2
export const UNSTORABLE = -3

interface JsonBounds {
  depthMax: number
  valuesMax: number
  nul: Unstorable
  /** Receives the beginning and the end of each string of `LONG_BYTES` or more, between its quotes. */
  longStrings?: number[]
}

/** Strings of this length are images, or texts as long as a book's chapter. */
const LONG_BYTES = 16 * 1024

/**
 * Counts the values of JSON bytes without parsing them: a value stands at the beginning, behind an opening bracket or behind
 * a comma, so the count is exact except for empty lists and objects, which count twice. It stops at the first fault: nesting
 * that is too deep, a character that no store can keep, or more values than `valuesMax`. Bytes that are no JSON may pass
 * here; the parser finds them. The time grows with the number of bytes alone, whatever they are.
 */
export function countValues(bytes: Buffer, { depthMax, valuesMax, nul, longStrings }: JsonBounds): number {
  const { length } = bytes
  let depth = 0
  let values = 1
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      // Most strings are short and plain and are skipped here; other strings take the slower path below.
      const start = at + 1
      const shortEnd = at + SHORT_BYTES
      do at++
      while (at < shortEnd && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH)
      if (bytes[at] !== QUOTE) at = endOfString(bytes, at, nul)
      if (at === NOWHERE) return UNSTORABLE
      if (at - start >= LONG_BYTES) longStrings?.push(start, at)
    } else if (byte === COMMA) {
      if (++values > valuesMax) return values
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > depthMax) return TOO_DEEP
      if (++values > valuesMax) return values
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--
    }
  }
  return values
}

/** Offset of the closing quote of the string at `from`; the end of the bytes if it has none. */
function endOfString(bytes: Buffer, from: number, nul: Unstorable): number {
  const { length } = bytes
  let at = from
  let plain = 0
  let quote = from - 1
  while (at < length) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) {
      at = afterEscape(bytes, at, nul)
      if (at === NOWHERE) return NOWHERE
      plain = 0
    } else if (++plain < SHORT_BYTES) {
      at++
    } else {
      // Keeps the position of the next quote: otherwise it would be searched for again after every escape.
      if (quote < at) quote = indexOrEnd(bytes, QUOTE, at)
      const backslash = bytes.subarray(at, quote).indexOf(BACKSLASH)
      at = backslash === NOWHERE ? quote : at + backslash
    }
  }
  return length
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === NOWHERE ? bytes.length : index
}

/** Offset behind the escape at `at`; NOWHERE when it is U+0000 or half of a surrogate pair. */
function afterEscape(bytes: Buffer, at: number, nul: Unstorable): number {
  if (nul === 'pass' || bytes[at + 1] !== LETTER_U) return at + 2
  const unit = unitAt(bytes, at)
  if (unit === 0 || isLowSurrogate(unit)) return NOWHERE
  if (!isHighSurrogate(unit)) return at + 6
  const hasItsPair =
    bytes[at + 6] === BACKSLASH && bytes[at + 7] === LETTER_U && isLowSurrogate(unitAt(bytes, at + 6))
  return hasItsPair ? at + 12 : NOWHERE
}

/** The UTF-16 unit of `\uXXXX` at `at`; NaN when these are not four hexadecimal digits. */
function unitAt(bytes: Buffer, at: number): number {
  let unit = 0
  for (let digit = at + 2; digit < at + 6; digit++) unit = unit * 16 + hexadecimal(bytes[digit] ?? 0)
  return unit
}

function hexadecimal(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
