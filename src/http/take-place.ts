import type { FastifyReply, FastifyRequest } from 'fastify'
import { holderOf } from './json-body.ts'
import type { LoadGauge } from './load-gauge.ts'

/** Counts a request among those in flight; `requestCounter` counts it out when its answer has ended. */
export function takePlace(request: FastifyRequest, reply: FastifyReply, load: LoadGauge): void {
  // Whoever hung up meanwhile was counted out already.
  if (reply.raw.destroyed) return
  request.hasPlace = true
  load.begin(holderOf(request))
}
