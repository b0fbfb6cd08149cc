import type { Operation } from '../../operation.ts'
import { describeOperation, openApiPath } from './describe-operation.ts'
import { describeWebhooks, WEBHOOK_BODIES } from './describe-webhooks.ts'
import type { OpenApiDocument } from './document.ts'
import { GROUPS, groupOf } from './group-of.ts'
import { componentsOf, nameSchemas, type SchemaNames } from './name-schemas.ts'

/** Describes the route table as an OpenAPI document: its schemas are JSON Schemas. */
export function describeApi(
  operations: readonly Operation[],
  { version }: { version: string },
): OpenApiDocument {
  const documented = operations.filter(({ undocumented }) => !undocumented)
  const used = new Set<string>(documented.map(groupOf))
  const names = nameSchemas(documented, WEBHOOK_BODIES)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: 'An AI gateway: video, media assets and text models behind one HTTP service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(GROUPS)
      .filter(([name]) => used.has(name))
      .map(([, { title, summary }]) => ({ name: title, description: summary })),
    paths: describePaths(documented, names),
    webhooks: describeWebhooks(names),
    components: {
      schemas: componentsOf(names),
      headers: {
        RequestId: header(
          'string',
          'Names this request in the logs of the gateway; quote it when you ask about an answer.',
        ),
        RetryAfter: header('integer', 'Seconds to wait before trying again.'),
        RateLimit: header(
          'integer',
          'Requests per minute that the lower of your limits allows. Absent if no limit is set.',
        ),
        RateRemaining: header('integer', 'Requests that could be sent at once now.'),
        RateReset: header('integer', 'Seconds until all requests of the limit could be sent at once again.'),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, `sk-sluice-...`.' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same API key, the way clients of the Messages format send it.',
        },
        adminKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Admin-Key',
          description: '`ADMIN_API_KEY`, or the token of an operator. No API key opens these routes.',
        },
      },
    },
  }
}

function header(type: 'string' | 'integer', description: string) {
  return { description, schema: { type } }
}

const METHOD_NAMES = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const

function describePaths(operations: readonly Operation[], names: SchemaNames): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const path = openApiPath(operation.path)
    paths[path] = { ...paths[path], [METHOD_NAMES[operation.method]]: describeOperation(operation, names) }
  }
  return paths
}
