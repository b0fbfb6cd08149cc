import type { FastifyReply, FastifyRequest } from 'fastify'

const REQUEST_ID_HEADER = 'x-request-id'

/** Where the official clients of the messages dialect look for it. */
const MESSAGES_ID_HEADER = 'request-id'
const MESSAGES_PATH = /^\/v1\/messages(?:[/?]|$)/

/** Every answer names its request, so that a client can report it and an operator can find it. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(requestIdHeaders(request))
}

export function requestIdHeaders({ id, raw }: FastifyRequest): Record<string, string> {
  return idHeaders(id, raw.url ?? '')
}

export function idHeaders(id: string, target: string): Record<string, string> {
  const headers: Record<string, string> = { [REQUEST_ID_HEADER]: id }
  if (MESSAGES_PATH.test(target)) headers[MESSAGES_ID_HEADER] = id
  return headers
}
