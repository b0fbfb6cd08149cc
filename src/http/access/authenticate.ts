import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app/app.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { RateStanding } from '../../ports/rate-meter.ts'
import { countInFlight, type LoadGauge } from '../limits/load-gauge.ts'
import { setRateLimitHeaders } from '../limits/set-rate-limit-headers.ts'
import type { Area } from '../operation.ts'
import { readApiKey } from './read-api-key.ts'

/**
 * Asks for a key and keeps its rate on every route of this scope, before anything of the body is read. Only a request
 * with a known key and within its rate counts as in flight, so that requests without a key cannot use these slots up.
 */
export function authenticate(
  scope: FastifyInstance,
  { app, area, load, metrics }: { app: App; area: Area; load: LoadGauge; metrics: Metrics },
): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const caller = app.authenticate(readApiKey(request.raw, area))
    const standing =
      caller instanceof Promise
        ? caller.then((found) => recognise(request, found))
        : recognise(request, caller)
    if (!(standing instanceof Promise)) {
      admit(request, reply, standing)
      return done()
    }
    standing.then((found) => {
      admit(request, reply, found)
      done()
    }, done)
  })

  /** From here on the request is counted and logged as the caller's, refused or not. */
  function recognise(request: FastifyRequest, caller: Caller): ReturnType<App['checkRate']> {
    request.caller = caller
    refuseWhenOver(caller)
    return app.checkRate(caller)
  }

  /** Only known callers have a share, so load is shed here and not before; a known key costs no more than the refusal. */
  function refuseWhenOver({ organizationId }: Caller): void {
    const refusal = load.apiErrorFor(organizationId)
    if (refusal === undefined) return
    if (refusal.code === 'overloaded') metrics.requestShed()
    throw refusal
  }

  function admit(request: FastifyRequest, reply: FastifyReply, standing: RateStanding | undefined): void {
    if (standing !== undefined) setRateLimitHeaders(request, reply, standing)
    countInFlight(request, reply, load)
  }
}
