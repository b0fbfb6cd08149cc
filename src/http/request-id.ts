import type { FastifyReply, FastifyRequest } from 'fastify'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Every answer names its request, so that a client can report it and an operator can find it. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.header(REQUEST_ID_HEADER, request.id)
}
