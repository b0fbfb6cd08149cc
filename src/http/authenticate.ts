import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app/app.ts'
import type { Caller } from '../domain/access/caller.ts'
import type { LoadGauge } from './load-gauge.ts'
import type { Area } from './operation.ts'
import { readApiKey } from './read-api-key.ts'

/**
 * Asks for a key on every route of this scope, before anything of the body is read. Only whoever is recognised takes
 * a place among the requests in flight: strangers cannot use them up.
 */
export function authenticate(
  scope: FastifyInstance,
  { app, area, load }: { app: App; area: Area; load: LoadGauge },
): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const caller = app.authenticate(readApiKey(request.raw.headers, area))
    if (!(caller instanceof Promise)) {
      admit(request, caller)
      return done()
    }
    caller.then((found) => {
      // Whoever hung up meanwhile was counted out already.
      if (!reply.raw.destroyed) admit(request, found)
      done()
    }, done)
  })

  function admit(request: FastifyRequest, caller: Caller): void {
    request.caller = caller
    load.begin()
  }
}
