import { isObject } from '../field.ts'

/** A JSON schema, of which only the keywords that clients use are read. */
export type Schema = Readonly<Record<string, unknown>>

/** Depth after which only required members are made, so that a recursive schema comes to an end. */
const DEPTH = 6
const DEPTH_MAX = 40

/** Makes a small value that fits the schema, always the same one. */
export function fitSchema(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isObject(schema) || depth > DEPTH_MAX) return schema === false ? undefined : null
  if (typeof schema.$ref === 'string') return fitSchema(follow(schema.$ref, root), root, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return fitSchema(chooseOption(options, depth), root, depth + 1)
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...own } = schema
    return fitSchema(merge([own, ...allOf], root), root, depth + 1)
  }
  switch (typeOf(schema)) {
    case 'object':
      return fitObject(schema, root, depth)
    case 'array':
      return fitArray(schema, root, depth)
    case 'string':
      return fitString(schema)
    case 'number':
    case 'integer':
      return fitNumber(schema)
    case 'boolean':
      return true
    default:
      return null
  }
}

function typeOf(schema: Schema): unknown {
  const { type } = schema
  if (Array.isArray(type)) return type.find((name) => name !== 'null') ?? 'null'
  if (type !== undefined) return type
  if (schema.properties !== undefined) return 'object'
  return schema.items === undefined ? 'null' : 'array'
}

/** Returns the first option. Deep inside a schema it prefers the option `null`, which ends a recursion. */
function chooseOption(options: readonly unknown[], depth: number): unknown {
  const end = depth > DEPTH ? options.find((option) => isObject(option) && option.type === 'null') : undefined
  return end ?? options[0]
}

/** A pointer such as `#/$defs/Item`. */
function follow(pointer: string, root: unknown): unknown {
  let value = root
  for (const name of pointer.split('/').slice(1)) {
    const plain = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) || Array.isArray(value) ? Reflect.get(value, plain) : undefined
  }
  return value
}

function merge(schemas: readonly unknown[], root: unknown): Schema {
  let merged: Record<string, unknown> = {}
  for (const part of schemas) {
    const schema = isObject(part) && typeof part.$ref === 'string' ? follow(part.$ref, root) : part
    if (!isObject(schema)) continue
    const properties = { ...asObject(merged.properties), ...asObject(schema.properties) }
    const required = [...asArray(merged.required), ...asArray(schema.required)]
    merged = { ...merged, ...schema }
    if (Object.keys(properties).length > 0) merged = { ...merged, properties, required }
  }
  return merged
}

function fitObject(schema: Schema, root: unknown, depth: number): unknown {
  const properties = asObject(schema.properties)
  const required = asArray(schema.required).filter((name) => typeof name === 'string')
  const names = required.length > 0 || depth > DEPTH ? required : Object.keys(properties)
  return Object.fromEntries(names.map((name) => [name, fitSchema(properties[name], root, depth + 1)]))
}

function fitArray(schema: Schema, root: unknown, depth: number): unknown {
  const first = asArray(schema.prefixItems)
  const least = asNumber(schema.minItems) ?? first.length
  const most = asNumber(schema.maxItems) ?? Number.POSITIVE_INFINITY
  const wanted = depth > DEPTH || schema.items === undefined ? 0 : 1
  const length = Math.min(most, Math.max(least, wanted))
  return Array.from({ length }, (_, at) => fitSchema(first[at] ?? schema.items, root, depth + 1))
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2030-01-02',
  time: '03:04:05Z',
  'date-time': '2030-01-02T03:04:05Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function fitString(schema: Schema): string {
  const { format } = schema
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  if (known !== undefined) return known
  const text = 'text'.padEnd(asNumber(schema.minLength) ?? 0, 'x')
  return text.slice(0, asNumber(schema.maxLength) ?? text.length)
}

function fitNumber(schema: Schema): number {
  const step = asNumber(schema.multipleOf) ?? (schema.type === 'integer' ? 1 : 0.5)
  const above = asNumber(schema.exclusiveMinimum)
  const below = asNumber(schema.exclusiveMaximum)
  const least = above === undefined ? asNumber(schema.minimum) : above + step
  const most = below === undefined ? asNumber(schema.maximum) : below - step
  const start = least ?? Math.min(step, most ?? step)
  const stepped = Math.ceil(start / step) * step
  return most !== undefined && stepped > most ? start : stepped
}

function asObject(value: unknown): Schema {
  return isObject(value) ? value : {}
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
