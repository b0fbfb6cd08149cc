import { isJsonObject } from './json-object.ts'

/** Starts a placeholder for a long string: a control character that clients do not send, and its only escape. */
const MARK = '\u0080'
const MARK_ESCAPED = '\\u0080'
const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20
const WORD_BYTES = 4

/**
 * `JSON.parse` of UTF-8 bytes. Unescaped strings at `longStrings` (pairs of start and end, between the quotes), such as
 * images in base64, are copied and not parsed, which takes half the time and much less memory. Throws when the bytes are
 * not JSON. Their depth must fit the call stack.
 */
export function parseText(bytes: Buffer, longStrings: readonly number[]): unknown {
  const cut: string[] = []
  let text = ''
  let at = 0
  for (let index = 0; index < longStrings.length; index += 2) {
    const start = longStrings[index] ?? 0
    const end = longStrings[index + 1] ?? 0
    if (!isPlain(bytes, start, end) || isName(bytes, end)) continue
    const piece = bytes.toString('utf8', at, start)
    if (hasMark(piece)) return JSON.parse(bytes.toString('utf8'))
    text += `${piece}${MARK}${cut.length}`
    cut.push(bytes.toString('latin1', start, end))
    at = end
  }
  const rest = bytes.toString('utf8', at)
  if (cut.length === 0 || hasMark(rest)) return JSON.parse(at === 0 ? rest : bytes.toString('utf8'))
  return restore(JSON.parse(text + rest), cut)
}

/** No mark spans two pieces: each ends with a quote. */
function hasMark(piece: string): boolean {
  return piece.includes(MARK) || piece.includes(MARK_ESCAPED)
}

/** Whether a string is printable ASCII without a backslash; its quotes are at its ends. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  if (bytes.subarray(start, end).indexOf(BACKSLASH) !== -1) return false
  const { buffer, byteOffset } = bytes
  // Four bytes at a time: one by one they would take as long as the parser.
  const firstWord = Math.ceil((byteOffset + start) / WORD_BYTES)
  const endWord = Math.floor((byteOffset + end) / WORD_BYTES)
  const words = new Int32Array(buffer, firstWord * WORD_BYTES, Math.max(0, endWord - firstWord))
  let unusual = 0
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0
    // A byte's highest bit is set before the subtraction (not ASCII) or by it (below 32, a control character).
    unusual |= word | (word - 0x20202020)
  }
  if ((unusual & 0x80808080) !== 0) return false
  for (let index = start; index < firstWord * WORD_BYTES - byteOffset; index++)
    if (!isPrintable(bytes[index])) return false
  for (let index = endWord * WORD_BYTES - byteOffset; index < end; index++)
    if (!isPrintable(bytes[index])) return false
  return true
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && byte >= SPACE && byte < 0x80
}

function isName(bytes: Buffer, end: number): boolean {
  let at = end + 1
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at++
  return bytes[at] === COLON
}

/** Replaces each mark by its string. */
function restore(value: unknown, cut: readonly string[]): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? cut[Number(value.slice(1))] : value
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = restore(value[at], cut)
  } else if (isJsonObject(value)) {
    const members: Record<string, unknown> = value
    for (const name in members) members[name] = restore(members[name], cut)
  }
  return value
}
