import { OPENID_ACTOR_START, ROLES, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { OpenIdAttempt, OpenIdProvider } from '../../ports/openid.ts'
import type { Runtime } from '../runtime.ts'
import type { OperatorSessions, SignedIn, SignInFrom } from './operator-sessions.ts'

export type RoleValues = Readonly<Record<Role, readonly string[]>>

export type OpenIdResult =
  | { kind: 'signed-in'; signedIn: SignedIn }
  /** The provider refused, or the answer belongs to no attempt of this browser. */
  | { kind: 'refused' }
  | { kind: 'no-role'; name: string }

export interface SignInByOpenId {
  /** `kept` is the encrypted attempt, which the browser sends back. */
  begin(): Promise<{ url: string; kept: string }>
  finish(came: { query: string; kept: string | undefined }, from: SignInFrom): Promise<OpenIdResult>
}

const ATTEMPT_MS_MAX = 10 * 60_000
const BOUND_TO = 'openid sign-in'

/**
 *   (none)  -> begun     the browser gets the attempt, encrypted, and goes to the provider
 *   begun   -> signed-in the provider's answer fits the attempt, and the person has a role
 *           -> refused   another browser, another state, a used code, a wrong token, or ten minutes have passed
 *           -> no-role   the person is known, and no value of the claim gives a role
 */
export function signInByOpenId(
  tools: Pick<Runtime, 'clock' | 'secrets'> & {
    provider: OpenIdProvider
    /** Known once the server listens. */
    returnUrl(): string
    roleValues: RoleValues
    sessions: Pick<OperatorSessions, 'signInAs'>
  },
): SignInByOpenId {
  const { provider, returnUrl, roleValues, sessions, secrets, clock } = tools
  return {
    async begin() {
      const { url, attempt } = await provider.begin(returnUrl()).catch(unreachable)
      const untilMs = clock.nowMs() + ATTEMPT_MS_MAX
      return { url, kept: secrets.encrypt(JSON.stringify({ ...attempt, untilMs }), BOUND_TO) }
    },
    async finish({ query, kept }, from) {
      const attempt = readAttempt(kept)
      if (attempt === undefined) return { kind: 'refused' }
      const person = await provider.finish(`${returnUrl()}${query}`, attempt).catch(unreachable)
      if (person === undefined) return { kind: 'refused' }
      const role = roleOf(person.values, roleValues)
      if (role === undefined) return { kind: 'no-role', name: person.name }
      return {
        kind: 'signed-in',
        signedIn: await sessions.signInAs({ actor: `${OPENID_ACTOR_START}${person.name}`, role }, from),
      }
    },
  }

  function readAttempt(kept: string | undefined): OpenIdAttempt | undefined {
    const text = kept === undefined ? undefined : secrets.decrypt(kept, BOUND_TO)
    if (text === undefined) return undefined
    const attempt: OpenIdAttempt & { untilMs: number } = JSON.parse(text)
    return clock.nowMs() < attempt.untilMs ? attempt : undefined
  }
}

function unreachable(cause: unknown): never {
  throw new ApiError('upstream_error', { message: 'The OpenID provider did not answer.', cause })
}

export function roleOf(values: readonly string[], roleValues: RoleValues): Role | undefined {
  return ROLES.toReversed().find((role) => roleValues[role].some((value) => values.includes(value)))
}
