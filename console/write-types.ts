import { writeFileSync } from 'node:fs'
import { describeApi } from '../src/http/operations/openapi/describe-api.ts'
import type { OperationObject } from '../src/http/operations/openapi/document.ts'
import { OPERATIONS } from '../src/http/routes.ts'
import { type Schema, typeOf } from './schema-type.ts'

/** Writes the types of the admin API from its OpenAPI document: a page that uses a removed field does not compile. */
export function writeAdminTypes(): void {
  const { paths, components } = describeApi(OPERATIONS, { version: '' })
  const objects = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}`,
  )
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
    `// Written by console/write-types.ts.\n${objects.join('\n')}\nexport interface AdminOperations {\n${rows.join('\n')}\n}\n`,
  )
}

const PREFIX = '/admin/v1'

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
