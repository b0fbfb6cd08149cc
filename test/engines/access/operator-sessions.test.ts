import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { createOperator, findOperator, revokeOperator } from '../../../src/app/access/operator-accounts.ts'
import {
  type OperatorSessions,
  operatorSessions,
  type SignInFrom,
} from '../../../src/app/access/operator-sessions.ts'
import { createTestClock, type TestClock } from '../money/test-clock.ts'
import { type LentStore, lendPostgres, lendSqlite } from '../store/lend-store.ts'
import { SILENT_LOG } from '../store/silent-log.ts'

const SECRETS = createSecrets('s'.repeat(32))
const MINUTE_MS = 60_000
const FROM: SignInFrom = { replaces: undefined }

describe.each([
  ['sqlite', lendSqlite],
  ['postgres', lendPostgres],
])('sessions on %s', (_engine, lend) => {
  let lent: LentStore
  let clock: TestClock
  beforeEach(async () => {
    lent = await lend()
    clock = createTestClock()
  })
  afterEach(() => lent.giveBack())

  function replica(adminKey = 'the admin key'): OperatorSessions {
    return operatorSessions({
      ...{ operatorSessions: lent.store.operatorSessions, secrets: SECRETS, clock, log: SILENT_LOG },
      findOperator: findOperator({ ...lent.store, secrets: SECRETS, log: SILENT_LOG }),
      newId: createIds(clock),
      isAdminKey: (key) => key === adminKey,
      reliesOn: adminKey,
    })
  }

  const accounts = () => ({
    ...{ operators: lent.store.operators, secrets: SECRETS, clock, newId: createIds(clock) },
    actor: 'cli',
  })

  async function signedIn(sessions: OperatorSessions, from = FROM): Promise<string> {
    const opened = await sessions.signIn('the admin key', from)
    if (opened === undefined) throw new Error('the key was refused')
    return opened.cookie
  }

  test('a session is valid on every replica, with the role of its operator', async () => {
    const cookie = await signedIn(replica())
    expect(await replica().find(cookie)).toMatchObject({ actor: 'admin key', role: 'owner', method: 'key' })
    const { token, account } = await createOperator(accounts())({ name: 'ana', role: 'viewer' })
    const opened = await replica().signIn(token, FROM)
    expect(opened?.session).toMatchObject({ actor: 'ana', role: 'viewer', operatorId: account.id })
    expect(await replica().find(opened?.cookie ?? '')).toEqual(opened?.session)
  })

  test('the store has the digest of a cookie, and neither the cookie nor a key', async () => {
    const cookie = await signedIn(replica())
    const kept = JSON.stringify([
      await lent.store.operatorSessions.find(SECRETS.digest(cookie)),
      await lent.store.audit.list({ limit: 10 }),
    ])
    expect(kept).not.toContain(cookie)
    expect(kept).not.toContain('the admin key')
    expect(kept).not.toContain(createHash('sha256').update('the admin key').digest('hex'))
    expect(await lent.store.operatorSessions.find(cookie)).toBeUndefined()
    expect(await lent.store.audit.list({ limit: 10 })).toMatchObject([
      { actor: 'admin key', action: 'session.open', detail: { method: 'key' } },
    ])
  })

  test('wrong keys, tokens of other kinds and made-up cookies are refused', async () => {
    const sessions = replica()
    const cookie = await signedIn(sessions)
    const link = await sessions.makeLink()
    for (const key of ['', 'the admin key ', cookie, link])
      expect(await sessions.signIn(key, FROM)).toBeUndefined()
    for (const made of ['', 'x', link, `${cookie}x`, cookie.replace('se-', 'op-'), cookie.slice(0, -1)])
      expect(await sessions.find(made)).toBeUndefined()
  })

  test('30 minutes without a request end a session; a request moves its end on every replica', async () => {
    const [one, other] = [replica(), replica()]
    const idle = await signedIn(one)
    const used = await signedIn(one)
    clock.pass(20 * MINUTE_MS)
    const found = await one.find(used)
    if (found !== undefined) await one.renew(used, found)
    clock.pass(10 * MINUTE_MS)
    expect(await one.find(idle)).toBeUndefined()
    expect(await other.find(used)).toBeDefined()
    clock.pass(20 * MINUTE_MS)
    expect(await other.find(used)).toBeUndefined()
  })

  test('a session ends after 12 hours, even if it is used', async () => {
    const sessions = replica()
    const cookie = await signedIn(sessions)
    for (let quarters = 0; quarters < 48; quarters++) {
      const found = await sessions.find(cookie)
      expect(found).toBeDefined()
      if (found !== undefined) await sessions.renew(cookie, found)
      clock.pass(15 * MINUTE_MS)
    }
    expect(await sessions.find(cookie)).toBeUndefined()
  })

  test('a revoked operator is out within 5 seconds on every replica', async () => {
    const { token, account } = await createOperator(accounts())({ name: 'ana', role: 'owner' })
    const [one, other] = [replica(), replica()]
    const { cookie = '' } = (await one.signIn(token, FROM)) ?? {}
    expect(await other.find(cookie)).toBeDefined()
    await revokeOperator(accounts())(account.id)
    clock.pass(5_000)
    expect(await one.find(cookie)).toBeUndefined()
    expect(await other.find(cookie)).toBeUndefined()
    expect(await one.signIn(token, FROM)).toBeUndefined()
  })

  test('another ADMIN_API_KEY ends every session', async () => {
    const cookie = await signedIn(replica())
    expect(await replica('another admin key').find(cookie)).toBeUndefined()
  })

  test('a sign-out ends the session immediately on this replica, and within 5 seconds on others', async () => {
    const [one, other] = [replica(), replica()]
    const cookie = await signedIn(one)
    const stays = await signedIn(one)
    await other.find(cookie)
    await one.signOut(cookie)
    await one.signOut('made up')
    expect(await one.find(cookie)).toBeUndefined()
    expect(await one.find(stays)).toBeDefined()
    clock.pass(5_000)
    expect(await other.find(cookie)).toBeUndefined()
  })

  test('a sign-in makes a new cookie and ends the previous session', async () => {
    const sessions = replica()
    const before = await signedIn(sessions)
    const after = await signedIn(sessions, { ...FROM, replaces: before })
    expect(after).not.toBe(before)
    expect(await sessions.find(before)).toBeUndefined()
    expect(await sessions.find(after)).toBeDefined()
  })

  test('a link signs in once, even if it is used twice at the same time', async () => {
    const sessions = replica()
    const link = await sessions.makeLink()
    const both = await Promise.all([sessions.signInByLink(link, FROM), replica().signInByLink(link, FROM)])
    expect(both.filter((one) => one !== undefined)).toMatchObject([
      { session: { actor: 'admin key', role: 'owner', method: 'link' } },
    ])
    expect(await sessions.signInByLink(link, FROM)).toBeUndefined()
  })

  test('a link expires after ten minutes', async () => {
    const link = await replica().makeLink()
    clock.pass(10 * MINUTE_MS)
    expect(await replica().signInByLink(link, FROM)).toBeUndefined()
  })

  test('an operator has 20 sessions; one more ends the oldest', async () => {
    const sessions = replica()
    const cookies: string[] = []
    for (let browser = 0; browser < 21; browser++) {
      cookies.push(await signedIn(sessions))
      clock.pass(1_000)
    }
    const [first = '', second = ''] = cookies
    expect(await replica().find(first)).toBeUndefined()
    expect(await replica().find(second)).toBeDefined()
  })

  test('only ended sessions are dropped', async () => {
    const sessions = replica()
    const over = await signedIn(sessions)
    await sessions.makeLink()
    clock.pass(29 * MINUTE_MS)
    const open = await signedIn(sessions)
    clock.pass(MINUTE_MS)
    const store = lent.store.operatorSessions
    await store.dropExpired({ nowMs: clock.nowMs(), limit: 10 })
    expect(await store.find(SECRETS.digest(over))).toBeUndefined()
    expect(await store.find(SECRETS.digest(open))).toBeDefined()
  })
})
