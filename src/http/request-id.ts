import type { FastifyInstance } from 'fastify'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Every answer names its request, so that a client can report it and an operator can find it. */
export function sendRequestId(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done(null, payload)
  })
}
