import type { Role } from './operator-account.ts'

export const SIGN_IN_METHODS = ['key', 'token', 'link', 'openid'] as const

export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/**
 * A browser in which an operator has signed in. The store keeps only the digest of its cookie.
 *
 *   (none) -> open    by the admin key, a token, a link or OpenID Connect; always with a new cookie
 *   open   -> open    a request after `RENEW_AFTER_MS` moves `expiresAtMs`, up to `endsAtMs`
 *   open   -> over    idle for `SESSION_IDLE_MS`, or `SESSION_MS_MAX` old
 *          -> over    signed out, or replaced by a new sign-in of the same browser
 *          -> over    its operator was revoked, or `ADMIN_API_KEY` changed (`binding`)
 *
 * A session that is over never opens again.
 */
export interface OperatorSession {
  actor: string
  role: Role
  method: SignInMethod
  /** Id of an operator with a token; null: the operator signed in with the admin key or OpenID Connect. */
  operatorId: string | null
  /** Digest of the secret behind the sign-in. The session ends when the deployment's secret has another digest. */
  binding: string
  createdAtMs: number
  /** The session ends then, unless a request moves the time. */
  expiresAtMs: number
  /** The session ends then in any case. */
  endsAtMs: number
}

export const SESSION_IDLE_MS = 30 * 60_000
export const SESSION_MS_MAX = 12 * 60 * 60_000
/** An active operator writes one row a minute, not one for each request. */
const RENEW_AFTER_MS = 60_000

export function openSession(
  who: Pick<OperatorSession, 'actor' | 'role' | 'method' | 'operatorId' | 'binding'>,
  nowMs: number,
): OperatorSession {
  const times = { expiresAtMs: nowMs + SESSION_IDLE_MS, endsAtMs: nowMs + SESSION_MS_MAX }
  return { ...who, createdAtMs: nowMs, ...times }
}

export function isSessionOpen({ expiresAtMs, endsAtMs }: OperatorSession, nowMs: number): boolean {
  return nowMs < expiresAtMs && nowMs < endsAtMs
}

/** Returns undefined when the session was used a moment ago, so that no write is needed. */
export function renewedUntilMs(session: OperatorSession, nowMs: number): number | undefined {
  const untilMs = Math.min(nowMs + SESSION_IDLE_MS, session.endsAtMs)
  return untilMs - session.expiresAtMs >= RENEW_AFTER_MS ? untilMs : undefined
}
