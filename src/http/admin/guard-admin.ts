import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/api-error.ts'
import { countInFlight, type LoadGauge } from '../limits/load-gauge.ts'
import type { AdminDoor } from './admin-key-check.ts'

export const ADMIN_DISABLED = 'admin endpoints disabled'
export const ADMIN_UNAUTHORIZED = 'unauthorized'
export const SYNC_TIMED_OUT = 'sync timed out'

/** Asks for the admin key on every route of this scope. Without a configured admin key these routes answer 404. */
export function guardAdmin(
  scope: FastifyInstance,
  { admin, load }: { admin: AdminDoor | undefined; load: LoadGauge },
): void {
  const late = new WeakSet<FastifyRequest>()
  scope.addHook('onRequest', (request, reply, done) => {
    if (admin === undefined) return done(new ApiError('not_found', { message: ADMIN_DISABLED }))
    const key = readAdminKey(request.raw)
    if (key === undefined || !admin.isKey(key)) {
      return done(new ApiError('invalid_api_key', { message: ADMIN_UNAUTHORIZED }))
    }
    countInFlight(request, reply, load)
    endInTime(request, reply, admin.requestMsMax)
    done()
  })
  // A body whose end comes after its request was answered is nothing to act on.
  scope.addHook('preHandler', (request, _reply, done) => {
    if (!late.has(request)) done()
  })

  /** A body that does not come is the client's doing, a sync that does not end is ours. */
  function endInTime(request: FastifyRequest, reply: FastifyReply, requestMsMax: number): void {
    const timer = setTimeout(() => {
      if (reply.raw.headersSent) return
      late.add(request)
      if (request.raw.complete)
        return void reply.send(new ApiError('internal_error', { message: SYNC_TIMED_OUT }))
      reply.raw.shouldKeepAlive = false
      reply.send(new ApiError('request_timeout'))
    }, requestMsMax)
    reply.raw.once('close', () => clearTimeout(timer))
  }
}

/** A header that comes twice says two things, and counts as none. */
function readAdminKey({ headersDistinct }: IncomingMessage): string | undefined {
  const values = headersDistinct['x-admin-key']
  return values?.length === 1 ? values[0] : undefined
}
