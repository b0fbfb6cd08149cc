import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../domain/access/caller.ts'
import type { Clock } from '../ports/clock.ts'
import type { FinishedRequest, LogRequest } from '../ports/finished-request.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { BodyGauge } from './body-gauge.ts'
import { holderOf } from './json-body.ts'
import type { LoadGauge } from './load-gauge.ts'
import { rawStatusOf } from './response-under-way.ts'

export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => void

interface CountingParts {
  metrics: Metrics
  logRequest: LogRequest
  clock: Clock
  load: LoadGauge
  bodies: BodyGauge
}

/** What an operator sees of a request whose client hung up before it was answered. */
const CLIENT_CLOSED_REQUEST = 499

/** Counts a request from here to the end of its answer, however it ends: `close` comes after every end, `finish` does not. */
export function requestCounter({ metrics, logRequest, clock, load, bodies }: CountingParts): CountRequest {
  return (request, reply) => {
    const beganMs = clock.monotonicMs()
    reply.raw.on('close', () => {
      const caller: Caller | undefined = request.caller
      if (request.hasPlace) load.end(holderOf(request))
      if (request.heldBytes > 0) bodies.give(holderOf(request), request.heldBytes)
      const finished: FinishedRequest = {
        requestId: request.id,
        operation: request.operationId ?? 'unknown',
        method: request.method,
        status: statusOf(reply.raw),
        durationMs: clock.monotonicMs() - beganMs,
        organizationId: caller?.organizationId,
        keyId: caller?.keyId,
        servedBy: request.servedBy,
      }
      metrics.requestFinished(finished)
      logRequest(finished)
    })
  }
}

function statusOf(response: ServerResponse): number {
  return response.headersSent ? response.statusCode : (rawStatusOf(response) ?? CLIENT_CLOSED_REQUEST)
}
