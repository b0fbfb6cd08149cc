import { isJsonObject } from '../json-object.ts'
import { parseOrNone } from './parse-or-none.ts'

/**
 * What JSON spells; undefined when it is none. A number that JavaScript would round keeps its spelling: it becomes an
 * object that `JSON.stringify` spells as it was, and `JSON.isRawJSON` knows. Ids of 64 bits are such numbers. One that
 * stands alone is a plain number all the same: a caller that expects an object must not get a number that looks like one.
 */
export function parseExact(json: string): unknown {
  const value = parseOrNone(json)
  if (typeof value !== 'object' || !mayHoldRounded(json)) return value
  const marked = parseMarked(json)
  return marked === undefined ? value : restoreNumbers(marked, () => true, true)
}

/** Quick, and sometimes wrong about a text that says such a number in words: it is parsed twice, that is all. */
export function mayHoldRounded(json: string): boolean {
  return json.length < EXACT_LENGTH_MAX && LONG_MEMBER.test(json)
}

/** Beyond it numbers are rounded: looking for them would hold up other requests. */
export const EXACT_LENGTH_MAX = 1024 * 1024

/**
 * Every number of fewer than 16 digits and with an exponent of fewer than three comes back as it went in. Among others
 * it is known by what stands before or after it, for texts are full of ids in quotes, and of hashes like 3e457.
 */
const LONG_MEMBER = /[\s:,[-]\d[\d.]{15}|\d[eE][+-]?\d{3,}[\s,}\]]/
const STRING_OR_LONG = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d{3,}/g

/** Half of a character: it comes in no text, unless a client writes its escape. */
const MARK = '\udfff'
const MARK_SPELLED = /\\udfff/i

/**
 * The value of a sound JSON text, with a marked string in place of each long number. A reviver could tell numbers by
 * their spelling too, but it takes ten times as long, for all of them. undefined: the text itself has such marks.
 */
export function parseMarked(json: string): unknown {
  if (MARK_SPELLED.test(json)) return undefined
  return JSON.parse(json.replace(STRING_OR_LONG, (found) => (found[0] === '"' ? found : `"${MARK}${found}"`)))
}

/** Puts numbers where the marks are, in place: by their spelling below members that are kept, plain elsewhere. */
export function restoreNumbers(
  value: unknown,
  isKept: (name: string, member: unknown) => boolean,
  isInside = false,
): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? numberOf(value.slice(1), isInside) : value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (mayHoldMark(item)) value[index] = restoreNumbers(item, isKept, isInside)
    }
  } else if (isJsonObject(value)) {
    const members: Record<string, unknown> = value
    for (const name in members) {
      const member = members[name]
      if (mayHoldMark(member))
        members[name] = restoreNumbers(member, isKept, isInside || isKept(name, member))
    }
  }
  return value
}

function mayHoldMark(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'object'
}

function numberOf(spelled: string, isKept: boolean): unknown {
  const number = Number(spelled)
  return isKept && String(number) !== spelled ? JSON.rawJSON(spelled) : number
}
