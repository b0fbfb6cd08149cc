const TAB = 0x09
const NEW_LINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Bytes that are read of a literal. Only a number can be longer, and such a number is itself the fault. */
const WORD_BYTES_MAX = 400
const WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'))
const HEXADECIMAL = new Set(Buffer.from('0123456789abcdefABCDEF'))

/**
 * Line and column at which bytes stop being JSON, for the client's message, which quotes nothing of the body. Runs only for
 * a refused body. undefined: the bytes are JSON.
 */
export function findFault(bytes: Buffer): string | undefined {
  const at = faultAt(bytes)
  if (at === undefined) return undefined
  let line = 1
  let lineStart = 0
  for (let index = 0; index < at; index++) {
    if (bytes[index] !== NEW_LINE) continue
    line += 1
    lineStart = index + 1
  }
  let column = 1
  // Bytes that continue a character are not counted.
  for (let index = lineStart; index < at; index++) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) column += 1
  return `line ${line}, column ${column}`
}

/**
 * Tokens that may come next:
 *
 *   value        -> after a value: `next`; `[` -> first-value; `{` -> first-name
 *   first-value  the same, or `]`
 *   name         -> value, over a colon
 *   first-name   the same, or `}`
 *   next         -> value or name, over a comma; or the end of the open list or object
 */
type ExpectedToken = 'value' | 'first-value' | 'name' | 'first-name' | 'next'

function faultAt(bytes: Buffer): number | undefined {
  /** Closing brackets of the open lists and objects. */
  const open: number[] = []
  let expected: ExpectedToken = 'value'
  let at = afterSpace(bytes, 0)
  for (; at < bytes.length; at = afterSpace(bytes, at)) {
    const byte = bytes[at]
    const mayClose = open.length > 0 && expected !== 'value' && expected !== 'name'
    if (mayClose && byte === open.at(-1)) {
      open.pop()
      expected = 'next'
      at += 1
    } else if (expected === 'next') {
      if (open.length === 0 || byte !== COMMA) return at
      expected = open.at(-1) === CLOSE_OBJECT ? 'name' : 'value'
      at += 1
    } else if (expected === 'name' || expected === 'first-name') {
      if (byte !== QUOTE) return at
      const name = passString(bytes, at)
      if (name.isFaulty) return name.at
      at = afterSpace(bytes, name.at)
      if (bytes[at] !== COLON) return at
      expected = 'value'
      at += 1
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT)
      expected = byte === OPEN_ARRAY ? 'first-value' : 'first-name'
      at += 1
    } else {
      const value = byte === QUOTE ? passString(bytes, at) : passWord(bytes, at)
      if (value.isFaulty) return value.at
      expected = 'next'
      at = value.at
    }
  }
  return expected === 'next' && open.length === 0 ? undefined : at
}

interface PassedToken {
  /** Offset behind the token, or of its fault. */
  at: number
  isFaulty: boolean
}

function passString(bytes: Buffer, quoteAt: number): PassedToken {
  for (let at = quoteAt + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return { at: at + 1, isFaulty: false }
    if (byte < SPACE) return { at, isFaulty: true }
    if (byte !== BACKSLASH) continue
    const escaped = bytes[at + 1] ?? 0
    const isUnit = escaped === 0x75 && isHexadecimal(bytes, at + 2)
    if (!isUnit && !ESCAPED.has(escaped)) return { at: Math.min(at + 1, bytes.length), isFaulty: true }
    at += isUnit ? 5 : 1
  }
  return { at: bytes.length, isFaulty: true }
}

function isHexadecimal(bytes: Buffer, from: number): boolean {
  for (let at = from; at < from + 4; at++) if (!HEXADECIMAL.has(bytes[at] ?? 0)) return false
  return true
}

function passWord(bytes: Buffer, at: number): PassedToken {
  const [word] = WORD.exec(bytes.toString('latin1', at, at + WORD_BYTES_MAX)) ?? []
  return word === undefined ? { at, isFaulty: true } : { at: at + word.length, isFaulty: false }
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== SPACE && byte !== NEW_LINE && byte !== TAB && byte !== RETURN) break
  }
  return at
}
