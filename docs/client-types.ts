import { type Schema, typeOf } from '../console/schema-type.ts'
import { describeApi } from '../src/http/operations/openapi/describe-api.ts'
import { OPERATIONS } from '../src/http/routes.ts'

/** Types of `@sluice/client`: what its operations and the callbacks carry, from the OpenAPI document. */
const ROOTS = [
  ...['CreateTaskRequest', 'CreateTaskReply', 'Task', 'ListTasksReply', 'DeleteTaskReply'],
  ...['CreateQuoteRequest', 'Quote', 'CreateAssetRequest', 'CreateAssetReply', 'Asset', 'ListAssetsReply'],
  ...['CreateSessionRequest', 'CreateSessionReply', 'Receipt', 'ReceiptKeysReply', 'Provenance', 'Event'],
  ...['ListModelsReply', 'Balance', 'Usage', 'VideoError'],
]

export function clientTypes(): string {
  const { schemas } = describeApi(OPERATIONS, { version: '' }).components
  const names = new Set(ROOTS)
  for (const name of names) {
    const used = JSON.stringify(schemas[name]).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
    for (const [, inner = ''] of used) names.add(inner)
  }
  const rows = [...names].toSorted().map((name) => `  ${name}: ${membersOf(schemas[name] ?? {})}`)
  return `// Written by "npm run docs" from the OpenAPI document.\n\n/** Objects of the API, by their names in \`/openapi.json\`. */\nexport interface ApiTypes {\n${rows.join('\n')}\n}\n`
}

interface Described extends Schema {
  description?: string
}

/** Writes an object with the description of each member above it. */
function membersOf(schema: Described): string {
  const { properties, required = [] } = schema
  if (properties === undefined || Object.keys(properties).length === 0) return inApiTypes(schema)
  const members: [string, Described][] = Object.entries(properties)
  const lines = members.flatMap(([name, member]) => [
    ...(member.description === undefined ? [] : [`    /** ${member.description.replaceAll('*/', '* /')} */`]),
    `    ${name}${required.includes(name) ? '' : '?'}: ${inApiTypes(member)}`,
  ])
  return `{\n${lines.join('\n')}\n  }`
}

/** Writes a reference as a member of `ApiTypes`, so that its name clashes with no other type. */
function inApiTypes(schema: Schema): string {
  return typeOf(withMemberNames(schema))
}

function withMemberNames<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (key, one) =>
      key === '$ref' ? `/ApiTypes['${one.slice(one.lastIndexOf('/') + 1)}']` : one,
    ),
  )
}
