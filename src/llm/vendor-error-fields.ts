import type { TextEndpoint } from '../domain/catalog/model.ts'
import { isJsonObject, type JsonObject } from '../domain/json-object.ts'
import { CODE, cleanWords, type HidingOptions, tellingPartOf } from './vendor-error.ts'

/** What a vendor's error tells programs: clients of its own dialect act upon it. */
export interface VendorErrorFields {
  code?: string
  param?: string
  details?: JsonObject
}

/** The fields that this dialect has, fit for a client as the message is. What is not of their shape is left out. */
export function readVendorErrorFields(
  body: unknown,
  dialect: TextEndpoint,
  { hides = [] }: HidingOptions = {},
): VendorErrorFields {
  const error = tellingPartOf(body)
  return isJsonObject(error) ? READERS[dialect](error, hides) : {}
}

const READERS: Record<TextEndpoint, (error: JsonObject, hides: readonly string[]) => VendorErrorFields> = {
  messages: ({ details }, hides) =>
    isJsonObject(details) && isSmall(details) ? { details: cleanObject(details, hides) } : {},
  responses: ({ code, param }, hides) => ({
    ...(isPlain(code, CODE, hides) && !OPERATORS.test(code) ? { code } : {}),
    ...(isPlain(param, PARAM, hides) ? { param } : {}),
  }),
}

/** About the key and the money that the operator has there: a client would take them for its own. */
const OPERATORS = /api_key|quota|billing|account|organization/i
const PARAM = /^\P{Cc}{1,200}$/u

/** Half a code tells a program nothing, so one that has something to hide is not told at all. */
function isPlain(value: unknown, shape: RegExp, hides: readonly string[]): value is string {
  return typeof value === 'string' && shape.test(value) && cleanWords(value, hides) === value
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
