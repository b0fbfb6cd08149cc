import type { FastifyRequest } from 'fastify'
import { REQUEST_ID_HEADER } from './request-id.ts'
import { standingHeaders } from './show-standing.ts'

/** What every answer says in its head, for one that goes past the framework; the framework has it already. */
export function answerHeaders({ id, standing }: FastifyRequest): Record<string, string | number> {
  const headers: Record<string, string | number> = standing === undefined ? {} : standingHeaders(standing)
  headers[REQUEST_ID_HEADER] = id
  return headers
}
