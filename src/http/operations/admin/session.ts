import { ROLES } from '../../../domain/access/operator-account.ts'
import { type OperatorSession, SIGN_IN_METHODS } from '../../../domain/access/operator-session.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { unauthorized } from '../../admin/admin-key-check.ts'
import { findCaller } from '../../admin/find-caller.ts'
import { ADMIN_DISABLED } from '../../admin/guard-admin.ts'
import { originOf, readSessionCookie, sessionCookie } from '../../admin/session-cookie.ts'
import type { EdgeReply } from '../../edge-reply.ts'
import { type HandlerParts, type Operation, openOperation } from '../../operation.ts'
import { readBySchema } from '../../schema/read-by-schema.ts'
import { field } from './fields.ts'

const BODY = json.object({
  key: json.string({
    maxLength: 1_000,
    description: 'The admin key, or the token of an operator.',
    examples: ['op-sluice-...'],
  }),
})
const BODY_BYTES_MAX = 4_096

const SESSION = json.object({
  object: json.literal('session'),
  actor: json.string({ description: 'Name of the operator in the audit log.' }),
  role: json.oneOf(ROLES),
  method: json.oneOf(SIGN_IN_METHODS),
  created_at: field.time(),
  expires_at: json.string({
    format: 'date-time',
    description: 'The session ends then, unless it is used before.',
  }),
  ends_at: json.string({ format: 'date-time', description: 'The session ends then in any case.' }),
})

/** Every caller may call these operations: signing in identifies the caller. Each checks key or cookie itself. */
const PATH = '/admin/v1/session'
const DISABLED = { 404: { description: '`admin endpoints disabled`.' } }
const FOREIGN = { 403: { description: '`forbidden`: the request comes from a page of another site.' } }

export const session: readonly Operation[] = [
  openOperation('adminSignIn', `POST ${PATH}`, {
    area: 'admin',
    summary: 'Sign in with a browser',
    description:
      'Sets a cookie that the admin API takes in place of `X-Admin-Key`, with the role of the operator. It ends after 30 minutes without a request, 12 hours after the sign-in, when the operator is revoked, and when `ADMIN_API_KEY` changes.',
    body: { schema: BODY, limitBytes: BODY_BYTES_MAX },
    replies: {
      200: {
        description: 'The new session.',
        schema: SESSION,
        headers: { 'set-cookie': 'The new session.' },
      },
      400: { description: '`key` is missing or not allowed.' },
      401: { description: '`unauthorized`: the key is wrong, or its operator was revoked.' },
      ...FOREIGN,
      ...DISABLED,
      429: {
        description: 'Ten wrong keys came from this address in a minute. The right one still signs in.',
      },
    },
    async serve(parts, request, reply) {
      const { admin, sessions } = openConsole(parts)
      if (originOf(request.raw, admin) === 'foreign') throw new ApiError('forbidden')
      const key = readBySchema(request.body, BODY).text('key')
      const signedIn = await sessions.signIn(key, { replaces: readSessionCookie(request.raw, admin) })
      if (signedIn === undefined) throw admin.refuseKey(request.raw)
      reply.header('set-cookie', sessionCookie(signedIn.cookie, request.raw, admin))
      return noStore(reply).send(sessionJson(signedIn.session))
    },
  }),
  openOperation('adminGetSession', `GET ${PATH}`, {
    area: 'admin',
    summary: 'Who has signed in with this browser?',
    replies: {
      200: { description: 'The session.', schema: SESSION },
      401: { description: '`unauthorized`: there is no session, or it is over.' },
      ...DISABLED,
    },
    async serve(parts, request, reply) {
      const { admin, app } = openConsole(parts)
      const caller = await findCaller(request.raw, { admin, app, takesCookie: true })
      if (caller?.session === undefined) throw unauthorized()
      return noStore(reply).send(sessionJson(caller.session.found))
    },
  }),
  openOperation('adminSignOut', `DELETE ${PATH}`, {
    area: 'admin',
    summary: 'Sign out',
    description: 'Every process refuses the cookie within 5 seconds, this one immediately.',
    replies: {
      200: {
        description: 'There is no session any more.',
        schema: json.object({ object: json.literal('session'), ended: json.literal(true) }),
      },
      ...FOREIGN,
      ...DISABLED,
    },
    async serve(parts, request, reply) {
      const { admin, sessions } = openConsole(parts)
      const cookie = readSessionCookie(request.raw, admin)
      if (originOf(request.raw, admin) !== 'own' && cookie !== undefined) throw new ApiError('forbidden')
      if (cookie !== undefined) await sessions.signOut(cookie)
      reply.header('set-cookie', sessionCookie(undefined, request.raw, admin))
      return noStore(reply).send({ object: 'session', ended: true })
    },
  }),
  openOperation('adminSignInMethods', `GET ${PATH}/methods`, {
    area: 'admin',
    summary: 'In which ways can an operator sign in?',
    replies: {
      200: {
        description: 'The ways to sign in.',
        schema: json.object({
          object: json.literal('sign_in_methods'),
          key: json.literal(true),
          openid: json.boolean({ description: 'Whether `/console/oidc` leads to an OpenID provider.' }),
          signed_in: json.boolean({ description: 'Whether this browser has a session already.' }),
        }),
      },
      ...DISABLED,
    },
    // Browsers report every 401 as an error of the page, so the console calls this operation before `adminGetSession`.
    async serve(parts, request, reply) {
      const { admin, app } = openConsole(parts)
      const openid = app.openId !== undefined
      const caller = await findCaller(request.raw, { admin, app, takesCookie: true })
      const signed_in = caller?.session !== undefined
      return noStore(reply).send({ object: 'sign_in_methods', key: true, openid, signed_in })
    },
  }),
]

function openConsole({ admin, app }: HandlerParts) {
  const { sessions } = app
  if (admin === undefined || sessions === undefined)
    throw new ApiError('not_found', { message: ADMIN_DISABLED })
  return { admin, app, sessions }
}

/** A page must not return from the browser's cache after the sign-out. */
function noStore(reply: EdgeReply): EdgeReply {
  return reply.header('cache-control', 'no-store')
}

function sessionJson({ actor, role, method, createdAtMs, expiresAtMs, endsAtMs }: OperatorSession): object {
  return {
    ...{ object: 'session', actor, role, method },
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
    ends_at: new Date(endsAtMs).toISOString(),
  }
}
