import { LINK_START, SESSION_START } from '../../domain/access/key-format.ts'
import { ADMIN_KEY_ACTOR } from '../../domain/access/operator-account.ts'
import {
  isSessionOpen,
  type OperatorSession,
  openSession,
  renewedUntilMs,
  type SignInMethod,
} from '../../domain/access/operator-session.ts'
import type { OperatorSessionStore } from '../../ports/operators.ts'
import { draftAudit } from '../draft-audit.ts'
import type { Runtime } from '../runtime.ts'
import { createTtlCache } from '../ttl-cache.ts'
import { findByDigests } from './find-by-digests.ts'
import { isOwnToken, makeToken } from './marked-token.ts'
import type { FindOperator } from './operator-accounts.ts'

/** Maximum age of a known session that is used while the store is unreachable. */
const GRACE_MS = 60_000
const SESSIONS_CACHED_MAX = 1_000
/** Maximum sessions of one operator; one more signs out the oldest. */
const SESSIONS_EACH_MAX = 20
const LINK_MS_MAX = 10 * 60_000

export interface SignedIn {
  session: OperatorSession
  cookie: string
}

export interface SignInFrom {
  /** Earlier cookie of the browser, whose session ends. */
  replaces: string | undefined
}

export type KnownPerson = Pick<OperatorSession, 'actor' | 'role'>

export interface OperatorSessions {
  /** Signs in by the admin key or an operator's token. Returns undefined for a wrong key or token. */
  signIn(key: string, from: SignInFrom): Promise<SignedIn | undefined>
  /** Returns undefined for a link that was used, has expired, or was never made. */
  signInByLink(link: string, from: SignInFrom): Promise<SignedIn | undefined>
  signInAs(person: KnownPerson, from: SignInFrom): Promise<SignedIn>
  /** Returns no promise for a known session. */
  find(cookie: string): OperatorSession | undefined | Promise<OperatorSession | undefined>
  /** Extends the session when that is worth a write. Called after a request of the session; does not reject. */
  renew(cookie: string, session: OperatorSession): Promise<void>
  signOut(cookie: string): Promise<void>
  /** Makes a link that signs in once, as the admin key would. */
  makeLink(): Promise<string>
}

export function operatorSessions(
  input: Pick<Runtime, 'clock' | 'log' | 'newId' | 'secrets'> & {
    operatorSessions: OperatorSessionStore
    isAdminKey(key: string): boolean
    /** Text that every session is bound to. It contains the admin key, so a new admin key ends all sessions. */
    reliesOn: string
    /** Additional binding of OpenID Connect sessions to their provider. undefined: no such session is valid. */
    openIdReliesOn?: string | undefined
    findOperator: FindOperator
  },
): OperatorSessions {
  const { operatorSessions: store, isAdminKey, reliesOn, openIdReliesOn, findOperator } = input
  const { secrets, clock, newId, log } = input
  const known = createTtlCache<OperatorSession | undefined>({
    clock,
    graceMs: GRACE_MS,
    maxEntries: SESSIONS_CACHED_MAX,
  })
  const owner = { actor: ADMIN_KEY_ACTOR, role: 'owner', operatorId: null } as const

  return {
    async signIn(key, from) {
      const who = isAdminKey(key) ? { ...owner, method: 'key' as const } : await ownerOfToken(key)
      return who && open(who, from)
    },
    async signInByLink(link, from) {
      if (!isOwnToken(link, LINK_START, secrets)) return undefined
      const nowMs = clock.nowMs()
      const use = async (digest: string) => (await store.useLink({ digest, nowMs })) || undefined
      const used = await findByDigests(secrets.digests(link), use)
      return used && open({ ...owner, method: 'link' }, from)
    },
    signInAs: (person, from) => open({ ...person, method: 'openid', operatorId: null }, from),
    find(cookie) {
      if (!known.holds(cookie) && !isOwnToken(cookie, SESSION_START, secrets)) return undefined
      const found = known.get(cookie, async () => {
        const kept = await findByDigests(secrets.digests(cookie), (digest) => store.find(digest))
        return kept?.found
      })
      return found instanceof Promise ? found.then(validOnly) : validOnly(found)
    },
    async renew(cookie, session) {
      const expiresAtMs = renewedUntilMs(session, clock.nowMs())
      if (expiresAtMs === undefined) return
      // The copy in memory changes immediately, otherwise every request until the next read would write.
      session.expiresAtMs = expiresAtMs
      try {
        for (const digest of secrets.digests(cookie)) await store.renew({ digest, expiresAtMs })
      } catch (error) {
        log.warn('session.renew_failed', { error })
      }
    },
    async signOut(cookie) {
      if (!isOwnToken(cookie, SESSION_START, secrets)) return
      for (const digest of secrets.digests(cookie)) await store.end(digest)
      known.forget(cookie)
    },
    async makeLink() {
      const link = makeToken(LINK_START, secrets)
      await store.keepLink({ digest: secrets.digest(link), expiresAtMs: clock.nowMs() + LINK_MS_MAX })
      return link
    },
  }

  async function ownerOfToken(token: string): Promise<Omit<Who, 'binding'> | undefined> {
    const found = await findOperator(token)
    if (found === undefined) return undefined
    return { actor: found.name, role: found.role, operatorId: found.id, method: 'token' }
  }

  /** The cookie is always new, so a cookie that another site or person has put into the browser never becomes a session. */
  async function open(who: Omit<Who, 'binding'>, { replaces }: SignInFrom): Promise<SignedIn> {
    const session = openSession({ ...who, binding: bindingOf(who.method) }, clock.nowMs())
    const cookie = makeToken(SESSION_START, secrets)
    const old = replaces !== undefined && isOwnToken(replaces, SESSION_START, secrets) ? replaces : undefined
    const act = { action: 'session.open', organizationId: null, subject: who.operatorId ?? who.actor }
    await store.open(
      {
        digest: secrets.digest(cookie),
        session,
        keptMax: SESSIONS_EACH_MAX,
        replaces: old === undefined ? [] : secrets.digests(old),
      },
      draftAudit({ ...act, detail: { method: who.method } }, { newId, clock, actor: who.actor }),
    )
    if (old !== undefined) known.forget(old)
    return { session, cookie }
  }

  function bindingOf(method: SignInMethod): string {
    const binding = secrets.digest(reliesOn)
    return method === 'openid' ? secrets.digest(`${openIdReliesOn} ${binding}`) : binding
  }

  /** During a change of the secret a session may be bound under either secret. */
  function isBound({ method, binding }: OperatorSession): boolean {
    const bindings = secrets.digests(reliesOn)
    if (method !== 'openid') return bindings.includes(binding)
    if (openIdReliesOn === undefined) return false
    return bindings.some((own) => secrets.digests(`${openIdReliesOn} ${own}`).includes(binding))
  }

  function validOnly(found: OperatorSession | undefined): OperatorSession | undefined {
    if (found === undefined || !isBound(found)) return undefined
    return isSessionOpen(found, clock.nowMs()) ? found : undefined
  }
}

type Who = Pick<OperatorSession, 'actor' | 'role' | 'method' | 'operatorId' | 'binding'>
