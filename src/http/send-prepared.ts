import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerHeaders } from './answer-headers.ts'

/** An answer that is the same for many requests, with its length counted once. */
export interface PreparedAnswer {
  /** Text, not bytes: Node joins it with the head into one write. */
  body: string
  bytes: number
  /** Plain ASCII needs no encoding on its way out. */
  encoding: 'latin1' | 'utf8'
}

export function prepareJson(value: unknown): PreparedAnswer {
  const body = JSON.stringify(value)
  const bytes = Buffer.byteLength(body)
  return { body, bytes, encoding: bytes === body.length ? 'latin1' : 'utf8' }
}

/** Sends it past everything the framework does to find out what an answer is: measured at a tenth of a small request. */
export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, bytes, encoding }: PreparedAnswer,
): void {
  const headers = answerHeaders(request)
  headers['content-type'] = 'application/json; charset=utf-8'
  headers['content-length'] = bytes
  reply.hijack()
  reply.raw.writeHead(200, headers)
  reply.raw.end(body, encoding)
}
