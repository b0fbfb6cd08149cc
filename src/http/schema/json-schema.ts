/** JSON Schema, as far as the API needs it. */
export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  const?: string | number | boolean
  enum?: readonly string[]
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  examples?: unknown[]
}

/** Which schemas an object may leave out; kept beside them, so that a schema stays plain data. */
const optional = new WeakSet<JsonSchema>()

/** Writes schemas as data. Nothing is loaded and nothing is compiled, so a start pays nothing for the reference. */
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
}
