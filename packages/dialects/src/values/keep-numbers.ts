import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { EXACT_LENGTH_MAX, mayHoldRounded, parseMarked, restoreNumbers } from '../json/parse-exact.ts'

/** Length from which the text is searched only if a parsed number looks rounded; mostly images make it so long. */
const LARGE_LENGTH = 256 * 1024

/** Names of objects (not strings or lists) that the gateway forwards without interpreting: inputs of calls, and schemas. */
const FORWARDED_MEMBERS: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'input_schema',
  'parameters',
  'schema',
])

/**
 * Returns a parsed body in which forwarded objects keep their numbers as `parseExact` does. All other numbers are plain, so
 * that readers can calculate with them. `json` is the text of `value`; it is searched only if a forwarded object contains a
 * number, which is rare.
 *
 * In a large body the number must also look rounded: it is beyond the safe integers, or has more than 15 digits. A number
 * that this test misses changes at the seventeenth digit or later, or is too close to zero for JavaScript.
 */
export function keepNumbers(value: JsonObject, json: { length: number; toString(): string }): JsonObject {
  if (json.length >= EXACT_LENGTH_MAX) return value
  if (!someForwardedNumber(value, json.length < LARGE_LENGTH ? isNumber : isPerhapsRounded)) return value
  const text = json.toString()
  if (!mayHoldRounded(text)) return value
  const marked = parseMarked(text)
  if (!isJsonObject(marked)) return value
  restoreNumbers(marked, isForwarded)
  return marked
}

type NumberTest = (value: unknown) => boolean

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isPerhapsRounded(value: unknown): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || String(value).length > PLAIN_LENGTH_MAX
}

/** 15 digits and a point: parsing does not round a number of this length. */
const PLAIN_LENGTH_MAX = 16

/** Whether a forwarded object contains a number that passes the test. Strings are skipped, however long they are. */
function someForwardedNumber(value: unknown, test: NumberTest): boolean {
  if (Array.isArray(value)) return value.some((item) => someForwardedNumber(item, test))
  if (!isJsonObject(value)) return false
  for (const name in value) {
    const member = value[name]
    if (typeof member !== 'object') continue
    if (isForwarded(name, member) ? containsNumber(member, test) : someForwardedNumber(member, test))
      return true
  }
  return false
}

function isForwarded(name: string, member: unknown): boolean {
  return FORWARDED_MEMBERS.has(name) && isJsonObject(member)
}

function containsNumber(value: unknown, test: NumberTest): boolean {
  if (Array.isArray(value)) return value.some((item) => containsNumber(item, test))
  if (!isJsonObject(value)) return test(value)
  for (const name in value) if (containsNumber(value[name], test)) return true
  return false
}
