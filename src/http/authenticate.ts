import type { FastifyInstance } from 'fastify'
import type { App } from '../app/app.ts'
import type { Area } from './operation.ts'
import { readApiKey } from './read-api-key.ts'

/** Asks for a key on every route of this scope, before anything of the body is read. */
export function authenticate(scope: FastifyInstance, { app, area }: { app: App; area: Area }): void {
  scope.addHook('onRequest', async (request) => {
    request.caller = await app.authenticate(readApiKey(request.raw.headers, area))
  })
}
