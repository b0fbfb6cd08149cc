import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import { CODE, cleanWords, isPlain, type VendorErrorFields } from '../../vendor-error.ts'

/** This dialect has an object of details beside the message. */
export function readErrorDetails({ details }: JsonObject, hides: readonly string[]): VendorErrorFields {
  return isJsonObject(details) && isSmall(details) ? { details: cleanObject(details, hides) } : {}
}

const DETAILS_BYTES_MAX = 2_048
/** No more fit into so many bytes. Counted first, because a body may be nested deeper than a stack is. */
const VALUES_MAX = DETAILS_BYTES_MAX / 2

function isSmall(details: JsonObject): boolean {
  const values: unknown[] = [details]
  // The list grows while it is walked.
  for (const value of values) {
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) values.push(inner)
    if (values.length > VALUES_MAX) return false
  }
  return Buffer.byteLength(JSON.stringify(details)) <= DETAILS_BYTES_MAX
}

function cleanObject(object: JsonObject, hides: readonly string[]): JsonObject {
  const members = Object.entries(object).filter(([name]) => isPlain(name, CODE, hides))
  return Object.fromEntries(members.map(([name, value]) => [name, cleanValue(value, hides)]))
}

function cleanValue(value: unknown, hides: readonly string[]): unknown {
  if (typeof value === 'string') return value === '' ? value : cleanWords(value, hides)
  if (Array.isArray(value)) return value.map((member) => cleanValue(member, hides))
  return isJsonObject(value) ? cleanObject(value, hides) : value
}
