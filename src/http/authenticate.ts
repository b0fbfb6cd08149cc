import type { FastifyInstance } from 'fastify'
import type { App } from '../app/app.ts'
import type { Area } from './operation.ts'
import { readApiKey } from './read-api-key.ts'

/** Asks for a key on every route of this scope, before anything of the body is read. */
export function authenticate(scope: FastifyInstance, { app, area }: { app: App; area: Area }): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    const caller = app.authenticate(readApiKey(request.raw.headers, area))
    if (!(caller instanceof Promise)) {
      request.caller = caller
      return done()
    }
    caller.then((found) => {
      request.caller = found
      done()
    }, done)
  })
}
