import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRoleEnough, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { countInFlight, type LoadGauge } from '../limits/load-gauge.ts'
import { type AdminDoor, unauthorized } from './admin-key-check.ts'
import { type AdminApp, type AdminCaller, findCaller } from './find-caller.ts'
import { originOf } from './session-cookie.ts'

export const ADMIN_DISABLED = 'admin endpoints disabled'
const SYNC_TIMED_OUT = 'sync timed out'

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Asks for the admin key, an operator's token or a session on every route of this scope, and for the role that the method
 * needs. A change by cookie has to come from a page of ours.
 * Without a configured admin key these routes answer 404.
 */
export function guardAdmin(
  scope: FastifyInstance,
  {
    admin,
    app,
    load,
    takesCookie,
    roleFor,
  }: {
    admin: AdminDoor | undefined
    app: AdminApp
    load: LoadGauge
    /** The routes of the contract take the key alone. */
    takesCookie: boolean
    roleFor(method: string): Role
  },
): void {
  const late = new WeakSet<FastifyRequest>()
  scope.addHook('onRequest', (request, reply, done) => {
    if (admin === undefined) return done(new ApiError('not_found', { message: ADMIN_DISABLED }))
    const found = findCaller(request.raw, { admin, app, takesCookie })
    if (found instanceof Promise) found.then((caller) => done(admit(request, reply, caller)), done)
    else done(admit(request, reply, found))
  })

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: AdminCaller | undefined,
  ): ApiError | undefined {
    if (caller === undefined) return refusalOf(request)
    if (caller.session !== undefined && !isReading(request.method) && !isOwn(request))
      return new ApiError('forbidden')
    if (!isRoleEnough(caller.role, roleFor(request.method === 'HEAD' ? 'GET' : request.method)))
      return new ApiError('forbidden')
    request.admin = caller
    if (caller.session !== undefined) void app.sessions?.renew(caller.session.cookie, caller.session.found)
    countInFlight(request, reply, load)
    endInTime(request, reply, admin?.requestMsMax ?? 0)
    return undefined
  }

  /** A request without a key guesses nothing. */
  function refusalOf({ raw }: FastifyRequest): ApiError {
    const isGuess = raw.headers['x-admin-key'] !== undefined
    return (isGuess ? admin?.refuseKey(raw) : undefined) ?? unauthorized()
  }

  function isOwn({ raw }: FastifyRequest): boolean {
    return admin !== undefined && originOf(raw, admin) === 'own'
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
