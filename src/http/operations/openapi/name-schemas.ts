import type { JsonSchema } from '../../../domain/json/json-schema.ts'
import type { Operation } from '../../operation.ts'
import { ERROR_ENVELOPES } from './error-envelopes.ts'

/** Named schemas of the document. The same object always has the same name. */
export type SchemaNames = ReadonlyMap<JsonSchema, string>

/** Names bodies, replies and rows by their titles, else after an operation that shows them. */
export function nameSchemas(operations: readonly Operation[], others: readonly JsonSchema[]): SchemaNames {
  const names = new Map<JsonSchema, string>()
  const add = (schema: JsonSchema | undefined, name: string) => {
    if (schema !== undefined && !names.has(schema)) names.set(schema, schema.title ?? name)
  }
  for (const schema of others) add(schema, '')
  for (const operation of operations) {
    if (!/^(?:admin)?get/i.test(operation.id)) continue
    add(operation.replies[200]?.schema, capitalized(operation.id).replace('Get', ''))
  }
  for (const { id, replies } of operations) {
    const { data, items } = replies[200]?.schema?.properties ?? {}
    const row = (data ?? items)?.items
    if (row?.type !== 'object' || !(row.title || /list/i.test(id))) continue
    const name = rowName(id)
    add(row, names.values().some((taken) => taken === name) ? `${name}Summary` : name)
  }
  for (const { id, body, replies } of operations) {
    add(body?.schema, `${capitalized(id)}Request`)
    add(body?.formSchema, `${capitalized(id)}Form`)
    for (const { schema } of Object.values(replies)) add(schema, `${capitalized(id)}Reply`)
  }
  return names
}

/** Named schemas and the error envelopes as components, in the order of their names. */
export function componentsOf(names: SchemaNames): Record<string, JsonSchema> {
  const errors = ERROR_ENVELOPES.map(({ name, schema }) => [name, schema] as const)
  const rows = [...names].map(([schema, name]) => [name, withReferences(schema, names)] as const)
  return Object.fromEntries([...errors, ...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

export function referenceTo(schema: JsonSchema, names: SchemaNames): JsonSchema {
  const name = names.get(schema)
  return name === undefined ? withReferences(schema, names) : { $ref: `#/components/schemas/${name}` }
}

/** Copy in which every named schema is a reference. */
function withReferences(schema: JsonSchema, names: SchemaNames): JsonSchema {
  const { properties, items, anyOf } = schema
  const inner = (one: JsonSchema) => referenceTo(one, names)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
    }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  }
}

function capitalized(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`
}

/** Converts `adminListKeys` to `AdminKey`. */
function rowName(id: string): string {
  return capitalized(id.replace(/list/i, '').replace(/(?:(s)e)?s$/, '$1'))
}
