import { isUtf8 } from 'node:buffer'
import { Refusal } from '../domain/refusal.ts'
import { isWithinBounds } from './json-bounds.ts'
import type { Unstorable } from './operation.ts'

const DEPTH_MAX = 64

const TOO_DEEP = `body must not be nested deeper than ${DEPTH_MAX} levels`
const UNSTORABLE = 'body must not contain U+0000 or lone surrogates'

/**
 * Bytes to a value, or `invalid_json`. All checks come before the parse, which would build whatever it is given.
 * `JSON.parse` makes `__proto__` an ordinary key of its own and keeps the last of two equal keys: both are harmless.
 * What it says about an error quotes the body, so it goes nowhere.
 */
export function parseJson(bytes: Buffer, { nul }: { nul: Unstorable }): unknown {
  if (!isUtf8(bytes) || startsWithByteOrderMark(bytes)) throw new Refusal('invalid_json')
  if (isWithinBounds(bytes, { depthMax: DEPTH_MAX, nul })) return parse(bytes)
  // What is no JSON either way is said to be that. Only a body that is to be refused is looked over twice.
  if (nul === 'refuse') parseJson(bytes, { nul: 'pass' })
  throw new Refusal('invalid_json', { message: nul === 'refuse' ? UNSTORABLE : TOO_DEEP })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Refusal('invalid_json')
  }
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
