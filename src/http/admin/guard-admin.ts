import { isRoleEnough, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { AnswerError } from '../errors/answer-errors.ts'
import { countInFlight, type LoadGauge } from '../limits/load-gauge.ts'
import type { Step } from '../step.ts'
import { type AdminAccess, unauthorized } from './admin-key-check.ts'
import { type AdminApp, type AdminCaller, findCaller } from './find-caller.ts'
import { originOf } from './session-cookie.ts'

export const ADMIN_DISABLED = 'admin endpoints disabled'
const TIMED_OUT = { request: 'the request took too long', sync: 'sync timed out' }

/**
 * Requires the admin key, an operator's token or a session, and a role. A request that changes something with a
 * session cookie must come from a page of this origin. Without a configured admin key the answer is 404.
 */
export function guardAdmin(input: {
  admin: AdminAccess | undefined
  app: AdminApp
  load: LoadGauge
  answerError: AnswerError
  /** False for the sync routes of the contract, which take no cookie. */
  takesCookie: boolean
  role: Role
}): Step {
  const { admin, app, load, answerError, takesCookie, role } = input
  return (request, reply, done) => {
    if (admin === undefined) return done(new ApiError('not_found', { message: ADMIN_DISABLED }))
    const found = findCaller(request.raw, { admin, app, takesCookie })
    if (found instanceof Promise) found.then((caller) => done(admit(request, reply, caller)), done)
    else done(admit(request, reply, found))
  }

  function admit(
    request: EdgeRequest,
    reply: EdgeReply,
    caller: AdminCaller | undefined,
  ): ApiError | undefined {
    if (caller === undefined) return refusalOf(request)
    if (caller.session !== undefined && !['GET', 'HEAD'].includes(request.method) && !isOwn(request))
      return new ApiError('forbidden')
    if (!isRoleEnough(caller.role, role)) return new ApiError('forbidden')
    request.admin = caller
    // Caches may ignore `X-Admin-Key`, so they must not keep an operator's answer for another request.
    reply.header('cache-control', 'no-store')
    if (caller.session !== undefined) void app.sessions?.renew(caller.session.cookie, caller.session.found)
    countInFlight(request, reply, load)
    endInTime(request, reply, admin?.requestMsMax ?? 0)
    return undefined
  }

  /** A request without a key is not counted as a guess. */
  function refusalOf({ raw }: EdgeRequest): ApiError {
    const isGuess = raw.headers['x-admin-key'] !== undefined
    return (isGuess ? admin?.refuseKey(raw) : undefined) ?? unauthorized()
  }

  function isOwn({ raw }: EdgeRequest): boolean {
    return admin !== undefined && originOf(raw, admin) === 'own'
  }

  /** Ends the request at its time limit: with 408 while its body has not arrived, else with 500. */
  function endInTime(request: EdgeRequest, reply: EdgeReply, requestMsMax: number): void {
    const timer = setTimeout(() => {
      if (reply.isSent || reply.raw.headersSent) return
      if (request.raw.complete)
        return answerError(
          new ApiError('internal_error', { message: takesCookie ? TIMED_OUT.request : TIMED_OUT.sync }),
          request,
          reply,
        )
      reply.raw.shouldKeepAlive = false
      answerError(new ApiError('request_timeout'), request, reply)
    }, requestMsMax)
    reply.raw.once('close', () => clearTimeout(timer))
  }
}
