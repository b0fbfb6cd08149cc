import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app/app.ts'
import { ADMIN_KEY_ACTOR, isRoleEnough, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { countInFlight, type LoadGauge } from '../limits/load-gauge.ts'
import type { AdminDoor } from './admin-key-check.ts'

export const ADMIN_DISABLED = 'admin endpoints disabled'
export const ADMIN_UNAUTHORIZED = 'unauthorized'
export const SYNC_TIMED_OUT = 'sync timed out'

/**
 * Asks for the admin key or an operator's token on every route of this scope, and for the role that the method needs.
 * Without a configured admin key these routes answer 404.
 */
export function guardAdmin(
  scope: FastifyInstance,
  {
    admin,
    app,
    load,
    roleFor,
  }: {
    admin: AdminDoor | undefined
    app: Pick<App, 'findOperator'>
    load: LoadGauge
    roleFor(method: string): Role
  },
): void {
  const late = new WeakSet<FastifyRequest>()
  scope.addHook('onRequest', (request, reply, done) => {
    if (admin === undefined) return done(new ApiError('not_found', { message: ADMIN_DISABLED }))
    const key = readAdminKey(request.raw)
    if (key === undefined) return done(unauthorized())
    if (admin.isKey(key)) return done(admit(request, reply, { actor: ADMIN_KEY_ACTOR, role: 'owner' }))
    app.findOperator(key).then((found) => {
      if (found === undefined) done(unauthorized())
      else done(admit(request, reply, { actor: found.name, role: found.role }))
    }, done)
  })

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: NonNullable<FastifyRequest['admin']>,
  ): ApiError | undefined {
    if (!isRoleEnough(caller.role, roleFor(request.method === 'HEAD' ? 'GET' : request.method)))
      return new ApiError('forbidden')
    request.admin = caller
    countInFlight(request, reply, load)
    endInTime(request, reply, admin?.requestMsMax ?? 0)
    return undefined
  }
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

function unauthorized(): ApiError {
  return new ApiError('invalid_api_key', { message: ADMIN_UNAUTHORIZED })
}

/** A header that comes twice says two things, and counts as none. */
function readAdminKey({ headersDistinct }: IncomingMessage): string | undefined {
  const values = headersDistinct['x-admin-key']
  return values?.length === 1 ? values[0] : undefined
}
