import { writeFileSync } from 'node:fs'
import { describeApi } from '../src/http/operations/openapi/describe-api.ts'
import type { OperationObject } from '../src/http/operations/openapi/document.ts'
import { OPERATIONS } from '../src/http/routes.ts'

/** Writes the types of the admin API from its OpenAPI document: a page that uses what a route no longer has does not compile. */
export function writeAdminTypes(): void {
  const { paths } = describeApi(OPERATIONS, { version: '' })
  const rows = Object.entries(paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) =>
          `  '${method.toUpperCase()} ${path.slice(PREFIX.length)}': ${operationType(operation)}`,
      ),
    )
  const target = new URL('./src/api/admin-types.ts', import.meta.url)
  writeFileSync(
    target,
    `// Written by console/write-types.ts.\nexport interface AdminOperations {\n${rows.join('\n')}\n}\n`,
  )
}

const PREFIX = '/admin/v1'

interface Schema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

function operationType({ parameters = [], requestBody, responses }: OperationObject): string {
  const queries = parameters.filter(({ in: place }) => place === 'query')
  const query = queries.map(({ name }) => `'${name}'?: string | number | boolean | undefined`).join('; ')
  const body = schemaOf(requestBody?.content)
  const reply = schemaOf(responses[200]?.content)
  return `{ query: { ${query} }; body: ${body ? typeOf(body) : 'undefined'}; reply: ${reply ? typeOf(reply) : 'unknown'} }`
}

function schemaOf(content: unknown): Schema | undefined {
  const media: { schema?: Schema } | undefined = Object.values(Object(content ?? {}))[0] as never
  return media?.schema
}

function typeOf(schema: Schema): string {
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
