import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { EXACT_LENGTH_MAX, mayHoldRounded, parseMarked, restoreNumbers } from './parse-exact.ts'

/** A body of this size may hold images: its characters are not looked at. */
const LARGE_LENGTH = 256 * 1024

/** Inputs of calls and schemas: JSON that we hand on and do not read. A string or a list of that name is something else. */
const HANDED_ON: ReadonlySet<string> = new Set(['input', 'arguments', 'input_schema', 'parameters', 'schema'])

/**
 * A parsed body in which the inputs of calls and the schemas keep their numbers as `parseExact` does; all other numbers
 * are plain, for readers want to calculate with them. `json` is what `value` was parsed from, and it is looked at only
 * if there is a number in such a place: most requests, and all of mere text, end here after a few members.
 *
 * In a large body the numbers that came out tell: one beyond the safe integers or with all the digits a number can have
 * was perhaps rounded. What that misses differs in the seventeenth digit.
 */
export function keepNumbers(value: JsonObject, json: { length: number; toString(): string }): JsonObject {
  if (json.length >= EXACT_LENGTH_MAX) return value
  if (!handsOn(value, json.length < LARGE_LENGTH ? isNumber : isPerhapsRounded)) return value
  const text = json.toString()
  if (!mayHoldRounded(text)) return value
  const marked = parseMarked(text)
  if (!isJsonObject(marked)) return value
  restoreNumbers(marked, isHandedOn)
  return marked
}

type Test = (value: unknown) => boolean

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isPerhapsRounded(value: unknown): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || String(value).length > PLAIN_LENGTH_MAX
}

/** 15 digits and a point: those were not rounded. */
const PLAIN_LENGTH_MAX = 16

/** Whether anything that is handed on holds such a value. Strings are not looked into, however long they are. */
function handsOn(value: unknown, test: Test): boolean {
  if (Array.isArray(value)) return value.some((item) => handsOn(item, test))
  if (!isJsonObject(value)) return false
  for (const name in value) {
    const member = value[name]
    if (typeof member !== 'object') continue
    if (isHandedOn(name, member) ? holds(member, test) : handsOn(member, test)) return true
  }
  return false
}

function isHandedOn(name: string, member: unknown): boolean {
  return HANDED_ON.has(name) && isJsonObject(member)
}

function holds(value: unknown, test: Test): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, test))
  if (!isJsonObject(value)) return test(value)
  for (const name in value) if (holds(value[name], test)) return true
  return false
}
