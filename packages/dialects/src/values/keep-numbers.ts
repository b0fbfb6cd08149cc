import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { EXACT_LENGTH_MAX, mayHoldRounded, parseMarked, restoreNumbers } from '../json/parse-exact.ts'

/** Size from which a body may hold images: its characters are not read. */
const LARGE_LENGTH = 256 * 1024

/** Members with inputs of calls and schemas: JSON that passes unread. A string or a list of that name is something else. */
const HANDED_ON: ReadonlySet<string> = new Set(['input', 'arguments', 'input_schema', 'parameters', 'schema'])

/**
 * A parsed body in which the inputs of calls and the schemas keep their numbers as `parseExact` does; all other numbers are
 * plain, for readers that calculate with them. `json` is the text of `value`, and it is read only if there is a number in
 * such a member: most requests, and all of plain text, end here after a few members.
 *
 * In a large body the parsed numbers decide: one beyond the safe integers or with the maximum number of digits was perhaps
 * rounded. Numbers that this test misses differ in the seventeenth digit.
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

type NumberTest = (value: unknown) => boolean

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isPerhapsRounded(value: unknown): boolean {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || String(value).length > PLAIN_LENGTH_MAX
}

/** 15 digits and a point: such numbers were not rounded. */
const PLAIN_LENGTH_MAX = 16

/** Whether a member that passes unread holds such a number. Strings are skipped, however long they are. */
function handsOn(value: unknown, test: NumberTest): boolean {
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

function holds(value: unknown, test: NumberTest): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, test))
  if (!isJsonObject(value)) return test(value)
  for (const name in value) if (holds(value[name], test)) return true
  return false
}
