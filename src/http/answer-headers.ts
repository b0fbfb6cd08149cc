import type { FastifyRequest } from 'fastify'
import { requestIdHeaders } from './request-id.ts'
import { standingHeaders } from './show-standing.ts'

/** What every answer says in its head, for one that goes past the framework; the framework has it already. */
export function answerHeaders(request: FastifyRequest): Record<string, string | number> {
  const { standing } = request
  const headers: Record<string, string | number> = requestIdHeaders(request)
  return standing === undefined ? headers : Object.assign(headers, standingHeaders(standing))
}
