import type { App } from '../../app/app.ts'
import { ADMIN_KEY_ACTOR, type Role } from '../../domain/access/operator-account.ts'
import type { OperatorSession } from '../../domain/access/operator-session.ts'
import { comesTwice, type RawRequest } from '../raw.ts'
import type { AdminAccess } from './admin-key-check.ts'
import { readSessionCookie } from './session-cookie.ts'

export type AdminApp = Pick<App, 'findOperator' | 'sessions'>

export interface AdminCaller {
  actor: string
  role: Role
  /** Session of a browser; undefined when the request has a key or a token. */
  session?: { cookie: string; found: OperatorSession }
}

/** Uses the key in the header, else the cookie: a wrong header is refused even with a valid cookie. */
export function findCaller(
  request: RawRequest,
  { admin, app, takesCookie }: { admin: AdminAccess; app: AdminApp; takesCookie: boolean },
): AdminCaller | undefined | Promise<AdminCaller | undefined> {
  if (request.headers['x-admin-key'] === undefined) {
    const cookie = takesCookie ? readSessionCookie(request, admin) : undefined
    if (cookie === undefined || app.sessions === undefined) return undefined
    const found = app.sessions.find(cookie)
    return found instanceof Promise ? found.then((one) => callerOf(cookie, one)) : callerOf(cookie, found)
  }
  const key = readAdminKey(request)
  if (key === undefined) return undefined
  if (admin.isKey(key)) return { actor: ADMIN_KEY_ACTOR, role: 'owner' }
  return app.findOperator(key).then((found) => found && { actor: found.name, role: found.role })
}

function callerOf(cookie: string, found: OperatorSession | undefined): AdminCaller | undefined {
  return found && { actor: found.actor, role: found.role, session: { cookie, found } }
}

/** A repeated header is ambiguous and counts as a wrong key: the cookie is not used. */
function readAdminKey({ headers, rawHeaders }: RawRequest): string | undefined {
  return comesTwice('x-admin-key', rawHeaders) ? undefined : String(headers['x-admin-key'])
}
