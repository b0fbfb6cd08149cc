import { isTextEndpoint } from '@sluice/dialects/dialect-facts'
import { CLIENT_DIALECTS } from '@sluice/dialects/dialects'
import { ApiError } from '../../../domain/api-error.ts'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import type { JsonSchema } from '../../../domain/json/json-schema.ts'
import { ADMIN_UNAUTHORIZED } from '../../admin/admin-key-check.ts'
import { ADMIN_DISABLED } from '../../admin/guard-admin.ts'
import { presentError } from '../../errors/present-error.ts'
import type { Operation } from '../../operation.ts'
import type {
  HeaderObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaReference,
} from './document.ts'
import { errorEnvelope } from './error-envelopes.ts'
import { GROUPS, groupOf } from './group-of.ts'
import { referenceTo, type SchemaNames } from './name-schemas.ts'
import { pathParametersOf } from './path-parameters.ts'
import { sampleOf } from './sample-of.ts'

export function describeOperation(operation: Operation, names: SchemaNames): OperationObject {
  const parameters = [
    ...pathParameters(operation.path),
    ...optionalParameters('query', operation.query),
    ...optionalParameters('header', operation.headers),
  ]
  return {
    operationId: operation.id,
    tags: [GROUPS[groupOf(operation)].title],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body !== undefined && {
      requestBody: { required: true, content: bodyTypes(operation.body, names) },
    }),
    responses: responsesOf(operation, names),
  }
}

function bodyTypes(body: NonNullable<Operation['body']>, names: SchemaNames) {
  const { schema, formBytesMax, formSchema = schema } = body
  const contentOf = (one: JsonSchema) => ({ schema: referenceTo(one, names), example: sampleOf(schema) })
  return {
    'application/json': contentOf(schema),
    ...(formBytesMax && { 'multipart/form-data': contentOf(formSchema) }),
  }
}

/** Converts `/v1/tasks/:id` to `/v1/tasks/{id}`. */
export function openApiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function pathParameters(path: string): ParameterObject[] {
  return pathParametersOf(path).map(({ name, description, sample }) => ({
    name,
    in: 'path',
    required: true,
    ...(description !== '' && { description }),
    schema: { type: 'string' },
    ...(description !== '' && { example: sample }),
  }))
}

function optionalParameters(
  place: 'query' | 'header',
  parameters: Operation['query'] = {},
): ParameterObject[] {
  return Object.entries(parameters).map(([name, { schema, description }]) => ({
    name,
    in: place,
    required: false,
    description,
    schema,
  }))
}

/** One of the listed schemes is enough. */
function securityOf({ access, area }: Operation): Record<string, string[]>[] {
  if (access === 'open') return []
  if (access === 'admin') return [{ adminKey: [] }]
  return area === 'video' ? [{ bearer: [] }] : [{ bearer: [] }, { apiKey: [] }]
}

function responsesOf(operation: Operation, names: SchemaNames): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {}
  for (const [status, description] of expectedErrors(operation)) {
    responses[status] = errorResponse(operation, status, description)
  }
  for (const [name, { description, schema, contentType, headers, alsoAs }] of Object.entries(
    operation.replies,
  )) {
    const status = Number(name)
    if (status >= 400 && schema === undefined && contentType === undefined) {
      responses[name] = errorResponse(operation, status, description)
      continue
    }
    const bare = schema === undefined && contentType === undefined
    responses[name] = {
      description,
      headers: { ...headersOf(operation, status), ...ownHeaders(headers) },
      ...(!bare && {
        content: {
          [contentType ?? 'application/json']: schema
            ? { schema: referenceTo(schema, names), example: sampleOf(schema) }
            : {},
          ...(alsoAs && { [alsoAs]: { schema: { type: 'string' } } }),
        },
      }),
    }
  }
  return responses
}

/** Errors that any operation of this kind may return. */
function expectedErrors({ access, body, essential, path }: Operation): [status: number, text: string][] {
  const errors: [number, string][] = []
  if (path.includes(':')) errors.push([400, 'The path cannot be decoded.'])
  if (body !== undefined) {
    errors.push([400, ERRORS.invalid_json.message])
    errors.push([413, ERRORS.body_too_large.message], [415, ERRORS.unsupported_media_type.message])
  }
  if (access === 'api-key') {
    errors.push([401, ERRORS.invalid_api_key.message], [403, ERRORS.organization_disabled.message])
    errors.push([429, ERRORS.rate_limit_exceeded.message])
  }
  if (access === 'admin') {
    errors.push([401, `\`${ADMIN_UNAUTHORIZED}\``], [403, ERRORS.forbidden.message])
    errors.push([404, `\`${ADMIN_DISABLED}\``])
    errors.push([429, 'A wrong key, after ten in a minute from one address.'])
  }
  if (!essential) errors.push([503, ERRORS.overloaded.message])
  errors.push([500, ERRORS.internal_error.message])
  return errors
}

function errorResponse(operation: Operation, status: number, description: string): ResponseObject {
  const { name, schema } = errorEnvelope(operation.area)
  const code = ERROR_CODES.find((one) => ERRORS[one].status === status)
  const example =
    code === undefined
      ? sampleOf(schema)
      : JSON.parse(presentError(operation.area, new ApiError(code), 'req_019a2b3c').body)
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example } }
  return { description, headers: headersOf(operation, status), content }
}

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

function headersOf({ access, area }: Operation, status: number): Record<string, SchemaReference> {
  const headers: Record<string, SchemaReference> = {
    'x-request-id': { $ref: '#/components/headers/RequestId' },
  }
  const more = isTextEndpoint(area) ? CLIENT_DIALECTS[area].requestIdHeader : undefined
  if (more !== undefined) headers[more] = { $ref: '#/components/headers/RequestId' }
  if (status === 429 || status === 503 || status === 529)
    headers['retry-after'] = { $ref: '#/components/headers/RetryAfter' }
  if (access === 'api-key' && !BEFORE_THE_RATE.has(status)) {
    headers['x-ratelimit-limit'] = { $ref: '#/components/headers/RateLimit' }
    headers['x-ratelimit-remaining'] = { $ref: '#/components/headers/RateRemaining' }
    headers['x-ratelimit-reset'] = { $ref: '#/components/headers/RateReset' }
  }
  return headers
}

function ownHeaders(headers: Record<string, string> = {}): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

/** Statuses that are described without rate headers: most of them are sent before the rate of the caller is known. */
const BEFORE_THE_RATE: ReadonlySet<number> = new Set([401, 403, 503])
