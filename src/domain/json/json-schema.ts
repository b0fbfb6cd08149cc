type TypeName = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'

/** JSON Schema, as far as the API needs it. */
export interface JsonSchema {
  type?: TypeName | readonly TypeName[]
  /** Name in the OpenAPI document, for a schema that is not named after its operation. */
  title?: string
  /** Path of the schema in the OpenAPI document; replaces every other member. */
  $ref?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  not?: JsonSchema
  const?: string | number | boolean
  enum?: readonly (string | number | boolean | null)[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  examples?: unknown[]
}

/** Schemas that an object may leave out. A set beside the schemas keeps them plain data. */
const optional = new WeakSet<JsonSchema>()

/** Writes schemas as data: nothing is loaded or compiled, so the reference does not slow down the start. */
export const json = {
  object: (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {})),
    ...more,
  }),
  optional(schema: JsonSchema): JsonSchema {
    optional.add(schema)
    return schema
  },
  /** The member may be left out; `null` counts as left out. */
  nullish(schema: JsonSchema): JsonSchema {
    const { type, enum: values, anyOf } = schema
    return json.optional({
      ...schema,
      ...(typeof type === 'string' && { type: [type, 'null'] }),
      ...(values !== undefined && { enum: [...values, null] }),
      ...(anyOf !== undefined && { anyOf: [...anyOf, { type: 'null' }] }),
    })
  },
  array: (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more }),
  string: (more: JsonSchema = {}): JsonSchema => ({ type: 'string', ...more }),
  integer: (more: JsonSchema = {}): JsonSchema => ({ type: 'integer', ...more }),
  number: (more: JsonSchema = {}): JsonSchema => ({ type: 'number', ...more }),
  boolean: (more: JsonSchema = {}): JsonSchema => ({ type: 'boolean', ...more }),
  literal: (value: string | number | boolean): JsonSchema => ({ const: value }),
  oneOf: (values: readonly string[], more: JsonSchema = {}): JsonSchema => ({
    type: 'string',
    enum: values,
    ...more,
  }),
  nullable: (schema: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
    anyOf: [schema, { type: 'null' }],
    ...more,
  }),
  anything: (more: JsonSchema = {}): JsonSchema => more,
  /** Objects whose `type` decides their members. `other` has the members of all types that are not listed. */
  byType(
    types: Record<string, Record<string, JsonSchema>>,
    { other, ...more }: JsonSchema & { other?: Record<string, JsonSchema> } = {},
  ): JsonSchema {
    const listed = Object.entries(types).map(([type, members]) =>
      json.object({ type: json.literal(type), ...members }),
    )
    if (other === undefined) return { anyOf: listed, ...more }
    const type = json.string({ not: { enum: Object.keys(types) } })
    return { anyOf: [...listed, json.object({ type, ...other })], ...more }
  },
}

/** A JSON number outside this range may have lost digits in parsing. */
export const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Pattern of a text with a visible character. */
export const NOT_BLANK = '\\S'
