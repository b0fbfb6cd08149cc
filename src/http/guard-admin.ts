import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import type { AdminDoor } from './admin-door.ts'
import type { LoadGauge } from './load-gauge.ts'
import { takePlace } from './take-place.ts'

export const ADMIN_DISABLED = 'admin endpoints disabled'
export const ADMIN_UNAUTHORIZED = 'unauthorized'

/** Asks for the admin key on every route of this scope. Without a door there is nothing here for anybody. */
export function guardAdmin(
  scope: FastifyInstance,
  { admin, load }: { admin: AdminDoor | undefined; load: LoadGauge },
): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (admin === undefined) return done(new Refusal('not_found', { message: ADMIN_DISABLED }))
    const key = readAdminKey(request.raw)
    if (key === undefined || !admin.isKey(key)) {
      return done(new Refusal('invalid_api_key', { message: ADMIN_UNAUTHORIZED }))
    }
    takePlace(request, reply, load)
    done()
  })
}

/** A header that comes twice says two things, and counts as none. */
function readAdminKey({ headersDistinct }: IncomingMessage): string | undefined {
  const values = headersDistinct['x-admin-key']
  return values?.length === 1 ? values[0] : undefined
}
