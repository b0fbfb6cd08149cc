import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../domain/access/caller.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { LoadGauge } from './load-gauge.ts'

export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => void

interface CountingParts {
  metrics: Metrics
  log: Log
  clock: Clock
  load: LoadGauge
}

/** What an operator sees of a request whose client hung up before it was answered. */
const CLIENT_CLOSED_REQUEST = 499

/** Counts a request from here to the end of its answer, however it ends: `close` comes after every end, `finish` does not. */
export function requestCounter({ metrics, log, clock, load }: CountingParts): CountRequest {
  return (request, reply) => {
    const beganMs = clock.monotonicMs()
    load.begin()
    reply.raw.on('close', () => {
      load.end()
      const durationMs = clock.monotonicMs() - beganMs
      const operation = request.operationId ?? 'unknown'
      const { method } = request
      const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST
      metrics.requestFinished({ operation, method, status, seconds: durationMs / 1000 })
      const caller: Caller | undefined = request.caller
      log.info('request finished', {
        requestId: request.id,
        operation,
        method,
        status,
        durationMs: Math.round(durationMs * 100) / 100,
        organizationId: caller?.organizationId,
        keyId: caller?.keyId,
      })
    })
  }
}
