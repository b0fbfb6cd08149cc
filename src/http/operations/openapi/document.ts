import type { JsonSchema } from '../../../domain/json/json-schema.ts'

/** Part of OpenAPI 3.1 that the gateway writes. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<'get' | 'post' | 'patch' | 'delete', OperationObject>>>
  webhooks: Record<string, { post: WebhookObject }>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, HeaderObject>
    securitySchemes: Record<string, SecurityScheme>
  }
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: ParameterObject[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, ResponseObject>
}

/** Request that the gateway sends to a server of its client. */
export interface WebhookObject extends Omit<Required<OperationObject>, 'responses'> {
  responses: Record<string, { description: string }>
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: string
}

export interface ResponseObject {
  description: string
  headers: Record<string, SchemaReference | HeaderObject>
  content?: Content
}

export interface SchemaReference {
  $ref: string
}

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>

export interface HeaderObject {
  description: string
  schema: { type: 'string' | 'integer' }
}

type SecurityScheme =
  | { type: 'http'; scheme: 'bearer'; description: string }
  | { type: 'apiKey'; in: 'header'; name: string; description: string }
