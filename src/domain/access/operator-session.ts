import type { Role } from './operator-account.ts'

/** How an operator has signed in. */
export const SIGN_IN_METHODS = ['key', 'token', 'link', 'openid'] as const

export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/**
 * A browser in which an operator has signed in. Only the digest of what its cookie holds is kept.
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
  /** What the audit log calls the operator. */
  actor: string
  role: Role
  method: SignInMethod
  /** Of an operator with a token; null for the others. */
  operatorId: string | null
  /** What the sign-in relied on: the session ends when the deployment's own differs. */
  binding: string
  createdAtMs: number
  /** It is over then, unless a request moves it. */
  expiresAtMs: number
  /** It is over then, whatever is asked. */
  endsAtMs: number
}

export const SESSION_IDLE_MS = 30 * 60_000
export const SESSION_MS_MAX = 12 * 60 * 60_000
/** So that an operator at work writes one row a minute and not one for each request. */
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

/** undefined: it was used a moment ago, and nothing has to be written. */
export function renewedUntilMs(session: OperatorSession, nowMs: number): number | undefined {
  const untilMs = Math.min(nowMs + SESSION_IDLE_MS, session.endsAtMs)
  return untilMs - session.expiresAtMs >= RENEW_AFTER_MS ? untilMs : undefined
}
