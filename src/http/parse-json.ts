import { isUtf8 } from 'node:buffer'
import { Refusal } from '../domain/errors.ts'
import { isWithinBounds } from './json-bounds.ts'
import type { Unstorable } from './operation.ts'

const DEPTH_MAX = 64

/**
 * Bytes to a value, or `invalid_json`. All checks come before the parse, which would build whatever it is given.
 * `JSON.parse` makes `__proto__` an ordinary key of its own and keeps the last of two equal keys: both are harmless.
 * What it says about an error quotes the body, so it goes nowhere.
 */
export function parseJson(bytes: Buffer, { nul }: { nul: Unstorable }): unknown {
  if (
    !isUtf8(bytes) ||
    startsWithByteOrderMark(bytes) ||
    !isWithinBounds(bytes, { depthMax: DEPTH_MAX, nul })
  ) {
    throw new Refusal('invalid_json')
  }
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Refusal('invalid_json')
  }
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
