import type { LossName } from '../canonical/losses.ts'
import type { OutputFormat } from '../canonical/request.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** Whether a vendor is asked to enforce a shape: by the client's option, otherwise wherever the schema allows it. */
export function strictnessOf(
  { schema, strict }: Extract<OutputFormat, { kind: 'json-schema' }>,
  losses: Set<LossName>,
): boolean {
  if (typeof strict === 'boolean') return strict
  const fits = fitsStrict(schema)
  if (strict === 'promised' && !fits) losses.add('strict')
  return fits
}

/**
 * Whether a schema may be strict: every object in it is closed and requires all its members. A vendor refuses to
 * enforce any other schema; without enforcement the model may ignore the shape.
 */
export function fitsStrict(schema: unknown): boolean {
  return everyObject(schema, (object) => isClosed(object) && requiresAll(object))
}

/** Whether every object in a schema is closed; members may be optional. */
export function isClosedSchema(schema: unknown): boolean {
  return everyObject(schema, isClosed)
}

function everyObject(schema: unknown, holds: (object: JsonObject) => boolean): boolean {
  if (Array.isArray(schema)) return schema.every((item) => everyObject(item, holds))
  if (!isSchema(schema)) return true
  if (isObjectSchema(schema.type, schema.properties) && !holds(schema)) return false
  return Object.entries(schema).every(([name, value]) => {
    if (!HOLDERS.has(name)) return true
    return everyObject(BY_NAME.has(name) && isSchema(value) ? Object.values(value) : value, holds)
  })
}

/** Members that hold schemas: `BY_NAME` by name, the others as a list or alone. */
const HOLDERS = new Set(['properties', '$defs', 'definitions', 'items', 'anyOf', 'allOf', 'oneOf'])
const BY_NAME = new Set(['properties', '$defs', 'definitions'])

function isObjectSchema(type: unknown, properties: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || isSchema(properties)
}

/** `JSON.rawJSON` makes an object for a number that keeps its digits; it is not a schema. */
function isSchema(value: unknown): value is JsonObject {
  return isJsonObject(value) && !JSON.isRawJSON(value)
}

function isClosed({ additionalProperties }: JsonObject): boolean {
  return additionalProperties === false
}

function requiresAll({ properties, required }: JsonObject): boolean {
  const named = isSchema(properties) ? Object.keys(properties) : []
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return named.every((name) => needed.includes(name))
}
