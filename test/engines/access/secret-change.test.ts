import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { requireSecret } from '../../../src/app/access/confirm-secret.ts'
import { createOperator } from '../../../src/app/access/operator-accounts.ts'
import { ENCRYPTED, ENCRYPTED_TABLES } from '../../../src/app/access/secret-needs.ts'
import { createVendorIds } from '../../../src/app/text/vendor-state/vendor-ids.ts'
import { digestState, digestsOfState, makeState } from '../../../src/app/verification/return-state.ts'
import { makeNoticeToken, readNoticeToken } from '../../../src/app/video/notice-token.ts'
import type { SecretChangeStore } from '../../../src/ports/secret-change.ts'
import { lendSqlite } from '../store/lend-store.ts'
import {
  DAY_MS,
  describeSecretScenarios,
  NEW,
  OLD,
  type SecretReplica,
  THIRD,
} from './open-secret-scenario.ts'

const FROM = { address: '127.0.0.1', replaces: undefined }

/** Columns that a rotation does not encrypt again: they are in the row about the secrets themselves. */
const OTHER_COLUMNS = ['deployment.sealed', 'deployment.sealed_mark_key', 'deployment.sealed_previous']

test('every encrypted column is encrypted again', async () => {
  const lent = await lendSqlite()
  const database = new DatabaseSync(lent.where, { readOnly: true })
  const columns = database
    .prepare(
      `select t.name || '.' || c.name as name from sqlite_master t, pragma_table_info(t.name) c
       where t.type = 'table' and (c.name like 'sealed%' or c.name like '%webhook_secret') order by 1`,
    )
    .all()
    .map(({ name }) => String(name))
  database.close()
  await lent.giveBack()
  const known = Object.entries(ENCRYPTED).flatMap(([table, of]) =>
    Object.keys(of).map((name) => `${table}.${name}`),
  )
  expect(columns).toEqual([...known, ...OTHER_COLUMNS].toSorted())
  expect(ENCRYPTED_TABLES.toSorted()).toEqual(Object.keys(ENCRYPTED).toSorted())
})

describeSecretScenarios('a change of the secret', ({ lent, scenario }) => {
  test('before the switch a replica with both secrets writes what a replica with the old secret reads', async () => {
    const old = await scenario().start(OLD)
    const both = await scenario().start(NEW, OLD)
    const { id, webhookSecret } = await scenario().makeOrganization(both)
    const key = await scenario().makeKey(both, id)
    const { token } = await createOperator({ ...both.tools, actor: 'cli' })({ name: 'Ada', role: 'viewer' })
    const session = await both.sessions.signIn('admin', FROM)
    const person = await both.sessions.signInAs({ actor: 'openid:Bob', role: 'viewer' }, FROM)
    for (const replica of [old, both]) {
      expect(await replica.authenticate(key)).toMatchObject({ organizationId: id })
      expect(await replica.findOperator(token)).toMatchObject({ name: 'Ada' })
      expect(await replica.sessions.find(session?.cookie ?? '')).toMatchObject({ role: 'owner' })
      expect(await replica.sessions.find(person.cookie)).toMatchObject({ role: 'viewer' })
      expect(await replica.showWebhookSecret(id)).toBe(webhookSecret)
    }
    expect(await both.tell()).toMatchObject({ detail: expect.stringMatching(/run "sluice secret rotate"/) })
    expect(await old.tell()).toBeUndefined()
  })

  test('after the switch all old values can be read, and keys get their new digest at their next use', async () => {
    const old = await scenario().start(OLD)
    const { id, webhookSecret } = await scenario().makeOrganization(old)
    const [used, idle] = [await scenario().makeKey(old, id), await scenario().makeKey(old, id)]
    const { token } = await createOperator({ ...old.tools, actor: 'cli' })({ name: 'Ada', role: 'viewer' })
    const session = await old.sessions.signIn('admin', FROM)
    const link = await old.sessions.makeLink()
    const person = await old.sessions.signInAs({ actor: 'openid:Bob', role: 'viewer' }, FROM)
    const both = await scenario().start(NEW, OLD)
    const lagging = await scenario().start(NEW, OLD)

    expect(await both.rotate()).toMatchObject({ switched: true, encryptedAgain: 1, ended: false })
    expect(await lent().store.organizations.findWebhookSecrets(id)).toMatchObject({
      encryptedSecret: expect.stringMatching(/^[0-9a-f]{8}\./),
    })
    const fresh = await scenario().makeKey(both, id)
    for (const replica of [both, lagging]) {
      for (const key of [used, fresh]) {
        expect(await replica.authenticate(key)).toMatchObject({ organizationId: id })
      }
      expect(await replica.findOperator(token)).toMatchObject({ name: 'Ada' })
      expect(await replica.sessions.find(session?.cookie ?? '')).toMatchObject({ role: 'owner' })
      expect(await replica.sessions.find(person.cookie)).toMatchObject({ method: 'openid' })
      expect(await replica.showWebhookSecret(id)).toBe(webhookSecret)
    }
    expect(await both.sessions.signInByLink(link, FROM)).toMatchObject({ session: { method: 'link' } })

    // Digests are moved a moment after the answer.
    await expect
      .poll(async () => (await both.rotate()).needs.map(({ of, rows, ids }) => [of, rows, ids.length]))
      .toEqual([
        ['api_keys', 1, 1],
        ['operator_sessions', 2, 0],
      ])
    expect((await both.tell())?.detail).toMatch(
      /^SLUICE_SECRET_PREVIOUS is still needed by 1 API key that was not used since the switch \(key_/,
    )
    await expect(scenario().start(NEW)).rejects.toThrow(/SLUICE_SECRET_PREVIOUS is missing.*1 API key that/)

    await both.sessions.signOut(session?.cookie ?? '')
    await both.sessions.signOut(person.cookie)
    await both.authenticate(idle)
    await expect.poll(async () => (await both.rotate()).ended).toBe(true)
    const after = await scenario().start(NEW)
    for (const key of [used, idle, fresh]) {
      expect(await after.authenticate(key)).toMatchObject({ organizationId: id })
    }
    expect(await after.findOperator(token)).toMatchObject({ name: 'Ada' })
    expect(await after.showWebhookSecret(id)).toBe(webhookSecret)
    await expect(scenario().start(OLD)).rejects.toThrow(/encrypted with another SLUICE_SECRET/)
  })

  test('a second change, and a change back, work like the first', async () => {
    const old = await scenario().start(OLD)
    const { id, webhookSecret } = await scenario().makeOrganization(old)
    const key = await scenario().makeKey(old, id)
    for (const [secret, previous] of [
      [NEW, OLD],
      [THIRD, NEW],
      [OLD, THIRD],
    ] as const) {
      const both = await scenario().start(secret, previous)
      await both.rotate()
      expect(await both.authenticate(key)).toMatchObject({ organizationId: id })
      await expect.poll(async () => (await both.rotate()).ended).toBe(true)
      const alone = await scenario().start(secret)
      expect(await alone.authenticate(key)).toMatchObject({ organizationId: id })
      expect(await alone.showWebhookSecret(id)).toBe(webhookSecret)
    }
  })

  test('a change can be reverted before its end', async () => {
    const { id, webhookSecret } = await scenario().makeOrganization(await scenario().start(OLD))
    const both = await scenario().start(NEW, OLD)
    const key = await scenario().makeKey(both, id)
    await both.rotate()
    const made = await scenario().makeKey(both, id)
    const back = await scenario().start(OLD, NEW)
    expect(await back.rotate()).toMatchObject({ switched: true })
    for (const one of [key, made]) expect(await back.authenticate(one)).toMatchObject({ organizationId: id })
    await expect.poll(async () => (await back.rotate()).ended).toBe(true)
    expect(await (await scenario().start(OLD)).showWebhookSecret(id)).toBe(webhookSecret)
  })

  test('a run that was killed is continued by the next run', async () => {
    const old = await scenario().start(OLD)
    const made = []
    for (let count = 0; count < 3; count++) made.push(await scenario().makeOrganization(old))
    const both = await scenario().start(NEW, OLD)
    const { replaceEncrypted } = lent().store.secretChange
    const dying: SecretChangeStore['replaceEncrypted'] = async ({ table, changes }) => {
      await replaceEncrypted({ table, changes: changes.slice(0, 2) })
      throw new Error('killed')
    }
    const { clock } = scenario()
    const switchedAtMs = clock.nowMs()
    await expect(both.rotate({ replaceEncrypted: dying })).rejects.toThrow('killed')
    expect((await both.tell())?.detail).toMatch(
      /needed by 1 organization with its .*\. Run "sluice secret rotate"$/,
    )
    await expect(scenario().start(NEW)).rejects.toThrow(/SLUICE_SECRET_PREVIOUS is missing/)
    for (const { id, webhookSecret } of made) expect(await both.showWebhookSecret(id)).toBe(webhookSecret)

    const again = await scenario().start(NEW, OLD)
    expect(await again.rotate()).toMatchObject({ switched: false, encryptedAgain: 1, ended: true })
    // The next run waits until all replicas have learned of the switch that the killed run made.
    expect(clock.nowMs()).toBe(switchedAtMs + 5_000)
    const after = await scenario().start(NEW)
    for (const { id, webhookSecret } of made) expect(await after.showWebhookSecret(id)).toBe(webhookSecret)
  })

  test('the previous secret can be dropped early, but not while a value is encrypted under it', async () => {
    const old = await scenario().start(OLD)
    const { id } = await scenario().makeOrganization(old)
    const key = await scenario().makeKey(old, id)
    const both = await scenario().start(NEW, OLD)
    const blocked = await both.rotate({ replaceEncrypted: async () => 0 }, true)
    expect(blocked).toMatchObject({ ended: false, needs: [{ of: 'organizations', rows: 1 }, { rows: 1 }] })
    expect(await both.rotate({}, true)).toMatchObject({ ended: true })
    const after = await scenario().start(NEW)
    await expect(after.authenticate(key)).rejects.toMatchObject({ code: 'invalid_api_key' })
    expect(await after.tell()).toBeUndefined()
  })

  test('old states, notices, marks and vendor ids are known after the switch', async () => {
    const old = await scenario().start(OLD)
    const state = makeState(old.secrets)
    const token = makeNoticeToken(old.secrets, 'org_1')
    const ids = ({ secrets, tools }: SecretReplica) =>
      createVendorIds({ ...tools, secrets, store: lent().store.vendorIds, pause: async () => {} })
    const scope = { organizationId: 'org_1', provider: 'vendorC' }
    const kept = ids(old)
    kept.keep(scope, ['resp_1'])
    await kept.writeGroup()
    const both = await scenario().start(NEW, OLD)
    await both.rotate()
    expect(digestsOfState(state, both.secrets)).toContain(digestState(state, old.secrets))
    expect(readNoticeToken(token, both.secrets)?.digest).toBe(old.secrets.digest(token))
    expect(readNoticeToken(makeNoticeToken(both.secrets, 'org_1'), both.secrets)?.digest).toMatch(/\./)
    expect(await ids(both).findForeign(scope, ['resp_1', 'resp_2'])).toEqual(new Set(['resp_2']))
    expect((await both.rotate()).needs).toMatchObject([{ of: 'vendor_ids', rows: 1 }])
    scenario().clock.pass(30 * DAY_MS)
    expect(await both.rotate()).toMatchObject({ ended: true })
    // The mark of an old state is still valid: a mark saves only a query, and no change of the secret ends it.
    const after = await scenario().start(NEW)
    expect(digestsOfState(state, after.secrets)).toHaveLength(1)
  })

  test('replicas hear of the switch by themselves', async () => {
    const { id } = await scenario().makeOrganization(await scenario().start(OLD))
    const [both, other] = [await scenario().start(NEW, OLD), await scenario().start(NEW, OLD)]
    await other.hear()
    await both.rotate()
    expect(other.secrets.digest('x')).not.toMatch(/\./)
    await other.hear()
    expect(other.secrets.digest('x')).toBe(both.secrets.digest('x'))
    expect(await other.authenticate(await scenario().makeKey(other, id))).toMatchObject({
      organizationId: id,
    })
  })

  test('commands without two secrets, or with wrong ones, change nothing', async () => {
    const old = await scenario().start(OLD)
    await expect(old.rotate()).rejects.toThrow(/needs both/)
    await expect(scenario().start(NEW, THIRD)).rejects.toThrow(/encrypted with another SLUICE_SECRET/)
    const { id } = await scenario().makeOrganization(old)
    await scenario().makeKey(old, id)
    await (await scenario().start(NEW, OLD)).rotate()
    const third = { ...old.tools, secrets: createSecrets(THIRD, { previous: NEW }) }
    await expect(requireSecret(third)).rejects.toThrow(/SLUICE_SECRET_PREVIOUS is missing, or is not/)
  })
})
