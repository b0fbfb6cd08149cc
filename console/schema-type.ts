/** JSON Schema as the OpenAPI document has it. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** Writes a schema as a TypeScript type; a reference is the name of its component. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return `(${options.map(typeOf).join(' | ')})`
  const { type } = schema
  if (typeof type === 'object') return `(${type.map((one) => typeOf({ ...schema, type: one })).join(' | ')})`
  if (type === 'array') return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`
  if (type === 'object' || schema.properties) return objectType(schema)
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown'
}

function objectType({ properties, required = [] }: Schema): string {
  const members = Object.entries(properties ?? {})
  if (members.length === 0) return 'Record<string, unknown>'
  const written = members.map(
    ([name, schema]) => `'${name}'${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${written.join('; ')} }`
}
