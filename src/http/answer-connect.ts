import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { answerRaw, type RawParts } from './client-errors.ts'

/** CONNECT asks for a tunnel. Node hands over the bare socket, and without a listener just closes it. */
export function answerConnect(server: FastifyInstance, parts: RawParts): void {
  server.server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const refusal = new Refusal('method_not_allowed')
    const headers = { allow: 'GET, HEAD, POST, DELETE' }
    answerRaw(socket, { refusal, target: request.url ?? '', reason: 'CONNECT', headers }, parts)
  })
}
