import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { App } from '../app/app.ts'
import type { Caller } from '../domain/access/caller.ts'

/** Which error envelope a path speaks. */
export type Area = 'video' | 'messages' | 'responses' | 'admin'

/** Who may call: anybody, or the holder of an API key. */
export type Access = 'open' | 'api-key'

/** One row of the API: enough to route it, guard it, count it and document it. */
export interface Operation {
  /** Also the metric label and the `operationId` in OpenAPI. */
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  /** With `:name` for path parameters. */
  path: string
  area: Area
  access: Access
  summary: string
  description?: string
  query?: Record<string, { schema: TSchema; description: string }>
  body?: { schema: TSchema; limitBytes: number }
  replies: Record<number, { description: string; schema?: TSchema; contentType?: string }>
  handle(app: App): (request: FastifyRequest, reply: FastifyReply) => unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on every `api-key` operation. */
    caller: Caller
  }
}
