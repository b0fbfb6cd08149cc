import type { JsonSchema } from '../../../domain/json/json-schema.ts'

/** Part of OpenAPI 3.1 that the gateway writes. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<'get' | 'post' | 'delete', OperationObject>>>
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

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema | { type: 'string' }
}

export interface ResponseObject {
  description: string
  headers: Record<string, SchemaReference | HeaderObject>
  content?: Content
}

export interface SchemaReference {
  $ref: string
}

type Content = Record<string, { schema?: JsonSchema | SchemaReference }>

export interface HeaderObject {
  description: string
  schema: { type: 'string' | 'integer' }
}

type SecurityScheme =
  | { type: 'http'; scheme: 'bearer'; description: string }
  | { type: 'apiKey'; in: 'header'; name: string; description: string }
