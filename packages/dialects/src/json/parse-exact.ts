import { isJsonObject } from './json-object.ts'
import { parseOrNone } from './parse-or-none.ts'

/**
 * Parses JSON; undefined when it is invalid. A number that JavaScript would round keeps its spelling: it becomes an object
 * that `JSON.stringify` writes unchanged and `JSON.isRawJSON` recognizes. Ids of 64 bits are such numbers. A text that is
 * only a number gives a plain number, so that no caller takes it for an object.
 */
export function parseExact(json: string): unknown {
  const value = parseOrNone(json)
  if (typeof value !== 'object' || !mayHoldRounded(json)) return value
  const marked = parseMarked(json)
  return marked === undefined ? value : restoreNumbers(marked, () => true, true)
}

/** Quick check. It may be true for a number within a string, and the text is then parsed twice. */
export function mayHoldRounded(json: string): boolean {
  return json.length < EXACT_LENGTH_MAX && LONG_MEMBER.test(json)
}

/** Numbers in longer texts are rounded: searching for them would block other requests. */
export const EXACT_LENGTH_MAX = 1024 * 1024

/**
 * Every number with fewer than 16 digits, and fewer than three in its exponent, survives parsing. The character before
 * or after a number tells it from text: texts are full of ids in quotes, and of hashes like 3e457.
 */
const LONG_MEMBER = /[\s:,[-]\d[\d.]{15}|\d[eE][+-]?\d{3,}[\s,}\]]/
const STRING_OR_LONG = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d{3,}/g

/** Half of a surrogate pair: no text has it, unless a client writes its escape. */
const MARK = '\udfff'
const MARK_SPELLED = /\\udfff/i

/**
 * Parses valid JSON with a marked string in place of each long number. A reviver also sees the spelling of each number,
 * but takes ten times as long. undefined: the text itself has such marks.
 */
export function parseMarked(json: string): unknown {
  if (MARK_SPELLED.test(json)) return undefined
  return JSON.parse(json.replace(STRING_OR_LONG, (found) => (found[0] === '"' ? found : `"${MARK}${found}"`)))
}

/** Replaces the marks by numbers, in place: with their spelling inside members that `isKept` names, plain elsewhere. */
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
