import { describe, expect, test } from 'vitest'
import type { OrganizationChange } from '../../../src/ports/tenants.ts'
import type { GetOpened } from './opened-store.ts'
import { MORNING_MS, sampleAudit, sampleFirst, sampleOrganization } from './sample-rows.ts'

export function describeOrganizations(opened: GetOpened): void {
  const organizations = () => opened().store.organizations

  describe('organizations', () => {
    test('are restored as they were made, with an empty balance', async () => {
      await organizations().create(
        sampleOrganization({ billing: 'postpaid', requestsPerMinute: 60 }),
        sampleAudit(),
      )
      expect(await organizations().find('org_1')).toStrictEqual({
        id: 'org_1',
        name: 'Acme',
        billing: 'postpaid',
        balanceMicros: 0,
        heldMicros: 0,
        requestsPerMinute: 60,
        createdAtMs: MORNING_MS,
        disabledAtMs: null,
        eventsUrl: null,
        keepReplies: null,
        recordBodies: 'off',
        callbackRetries: 'default',
        keepMedia: null,
        lowBalanceMicros: null,
      })
    })

    test.each([
      'requests_per_minute = 10000001',
      'requests_per_minute = -1',
      'created_at_ms = 9007199254740992',
      'previous_webhook_secret_until_ms = 9007199254740992',
      'balance_micros = 9007199254740992',
    ])('do not accept %s from an operator, which would hide every organization', async (assignment) => {
      await organizations().create(sampleOrganization(), sampleAudit())
      await expect(opened().runSql(`update organizations set ${assignment}`)).rejects.toThrow()
      expect(await organizations().list()).toHaveLength(1)
    })

    test('that do not exist are not found', async () => {
      expect(await organizations().find('org_1')).toBeUndefined()
      expect(await organizations().findWebhookSecrets('org_1')).toBeUndefined()
    })

    test('keep every character of a name', async () => {
      const name = `'; drop table users; -- "\\ % _ \u{1F30A} \u05E9\u05DC\u05D5\u05DD e\u0301 \u200B\r\n\t`
      await organizations().create(sampleOrganization({ name }), sampleAudit())
      expect((await organizations().find('org_1'))?.name).toBe(name)
    })

    test('are listed oldest first, and by id within a millisecond', async () => {
      const rows = [
        { id: 'org_b', createdAtMs: MORNING_MS + 1 },
        { id: 'org_c', createdAtMs: MORNING_MS },
        { id: 'org_a', createdAtMs: MORNING_MS + 1 },
      ]
      for (const row of rows) await organizations().create(sampleOrganization(row), sampleAudit())
      expect((await organizations().list()).map(({ id }) => id)).toEqual(['org_c', 'org_a', 'org_b'])
    })

    test('refuse a second row with the same id', async () => {
      await organizations().create(sampleOrganization({ name: 'first' }), sampleAudit())
      await expect(
        organizations().create(sampleOrganization({ name: 'second' }), sampleAudit()),
      ).rejects.toThrow()
      expect((await organizations().find('org_1'))?.name).toBe('first')
    })

    test('show a balance that an operator wrote, up to the largest safe integer', async () => {
      await organizations().create(sampleOrganization(), sampleAudit())
      await opened().runSql(
        "update organizations set balance_micros = 9007199254740991, held_micros = 5 where id = 'org_1'",
      )
      expect(await organizations().find('org_1')).toMatchObject({
        balanceMicros: Number.MAX_SAFE_INTEGER,
        heldMicros: 5,
      })
    })

    test.each([
      ['more than a number can hold', 'balance_micros = 9007199254740992'],
      ['a negative hold', 'held_micros = -1'],
      ['holds above a prepaid balance', 'held_micros = 1'],
      ['an unknown billing', "billing = 'free'"],
      ['a negative rate', 'requests_per_minute = -1'],
      ['an unknown choice of replies', "keep_replies = 'all'"],
      ['an unknown choice of bodies', "record_bodies = 'some'"],
      ['unknown retries', "callback_retries = 'all'"],
    ])('refuse %s', async (_what, change) => {
      await organizations().create(sampleOrganization(), sampleAudit())
      await expect(opened().runSql(`update organizations set ${change} where id = 'org_1'`)).rejects.toThrow()
    })

    test('may owe money if they are postpaid', async () => {
      await organizations().create(sampleOrganization({ billing: 'postpaid' }), sampleAudit())
      await opened().runSql(
        "update organizations set balance_micros = -7, held_micros = 3 where id = 'org_1'",
      )
      expect(await organizations().find('org_1')).toMatchObject({ balanceMicros: -7, heldMicros: 3 })
    })
  })

  describe('an organization that changes', () => {
    const update = (change: Omit<OrganizationChange, 'id'>, audit = sampleAudit()) =>
      organizations().update({ id: 'org_1', ...change }, audit)
    const acts = async () =>
      (await opened().store.audit.list({ limit: 9 })).filter(({ action }) => action === 'org.change')

    test('chooses which replies are kept, and its keys know it', async () => {
      await organizations().createFirst(sampleFirst(1), sampleAudit())
      for (const recordBodies of ['errors', 'all'] as const) {
        expect(await update({ recordBodies })).toMatchObject({ organization: { recordBodies } })
        expect(await opened().store.apiKeys.findCaller('digest-1')).toMatchObject({ recordBodies })
      }
      for (const keepReplies of ['default', 'asked', null] as const) {
        expect(await update({ keepReplies })).toMatchObject({ organization: { keepReplies } })
        await update({ name: 'Acme Ltd' })
        expect(await opened().store.apiKeys.findCaller('digest-1')).toMatchObject({ keepReplies })
      }
    })

    test('keeps members that are left out', async () => {
      await organizations().create(sampleOrganization({ requestsPerMinute: 60 }), sampleAudit())
      expect(await update({ name: 'Acme Ltd' })).toMatchObject({
        kind: 'updated',
        organization: { name: 'Acme Ltd', billing: 'prepaid', requestsPerMinute: 60 },
      })
      await update({ billing: 'postpaid' })
      await update({ requestsPerMinute: null })
      expect(await organizations().find('org_1')).toMatchObject({
        ...{ name: 'Acme Ltd', billing: 'postpaid', requestsPerMinute: null },
      })
    })

    test.each([
      [-1, 0, 'owes'],
      [4, 5, 'owes'],
      [5, 5, 'updated'],
    ])('with %i micros of which %i are held: to prepaid is %s', async (balance, held, kind) => {
      await organizations().create(sampleOrganization({ billing: 'postpaid' }), sampleAudit())
      await opened().runSql(`update organizations set balance_micros = ${balance}, held_micros = ${held}`)
      const audit = sampleAudit({ action: 'org.change' })
      const change = await update({ billing: 'prepaid', name: 'new' }, audit)
      expect(change).toMatchObject({ kind, organization: { balanceMicros: balance, heldMicros: held } })
      const isDone = kind === 'updated'
      expect(await acts()).toHaveLength(isDone ? 1 : 0)
      expect(await organizations().find('org_1')).toMatchObject(
        isDone ? { billing: 'prepaid', name: 'new' } : { billing: 'postpaid', name: 'Acme' },
      )
    })

    test('that is unknown is not found, and leaves no audit row', async () => {
      expect(await update({ name: 'new' })).toEqual({ kind: 'not-found' })
      expect(
        await organizations().setDisabled({ id: 'org_1', disabledAtMs: 5 }, sampleAudit()),
      ).toBeUndefined()
      expect(await opened().store.users.setDisabled({ id: 'usr_1', disabledAtMs: 5 }, sampleAudit())).toBe(
        undefined,
      )
      expect(await opened().store.audit.list({ limit: 9 })).toEqual([])
    })

    test('is disabled since the first call, and enabled again; its callers see it', async () => {
      await organizations().createFirst(sampleFirst(1), sampleAudit())
      await organizations().create(sampleOrganization({ id: 'org_2' }), sampleAudit())
      const { users, apiKeys } = opened().store
      const disabled = async () => (await apiKeys.findCaller('digest-1'))?.disabled
      const change = (disabledAtMs: number | null) =>
        organizations().setDisabled({ id: 'org_1', disabledAtMs }, sampleAudit())
      await change(MORNING_MS)
      expect(await change(MORNING_MS + 5)).toMatchObject({ disabledAtMs: MORNING_MS })
      expect(await disabled()).toBe('organization_disabled')
      const user = (disabledAtMs: number | null) =>
        users.setDisabled({ id: 'usr_1', disabledAtMs }, sampleAudit({ action: 'org.change' }))
      expect(await user(MORNING_MS + 7)).toMatchObject({ disabledAtMs: MORNING_MS + 7 })
      expect(await acts()).toMatchObject([{ organizationId: 'org_1' }])
      const owners = { organizationIds: ['org_1', 'org_2', 'org_9'], userIds: ['usr_1', 'usr_9'] }
      expect(await organizations().findDisabled(owners)).toEqual({
        ...{ organizationIds: ['org_1'], userIds: ['usr_1'] },
      })
      expect(await change(null)).toMatchObject({ disabledAtMs: null })
      expect(await disabled()).toBe('user_disabled')
      await user(null)
      expect(await disabled()).toBeNull()
      expect(await organizations().findDisabled(owners)).toEqual({ organizationIds: [], userIds: [] })
      expect(await organizations().findDisabled({ organizationIds: [], userIds: [] })).toEqual({
        ...{ organizationIds: [], userIds: [] },
      })
    })
  })

  describe('webhook secrets', () => {
    test('have no previous secret at first', async () => {
      await organizations().create(sampleOrganization(), sampleAudit())
      expect(await organizations().findWebhookSecrets('org_1')).toStrictEqual({
        encryptedSecret: 'sealed-1',
        encryptedPreviousSecret: null,
        previousUntilMs: null,
      })
    })

    test('the current secret becomes the previous secret at each rotation', async () => {
      await organizations().create(sampleOrganization(), sampleAudit())
      await organizations().create(
        sampleOrganization({ id: 'org_2', encryptedWebhookSecret: 'other' }),
        sampleAudit(),
      )
      const rotate = (encryptedSecret: string, previousUntilMs: number) =>
        organizations().rotateWebhookSecret({ id: 'org_1', encryptedSecret, previousUntilMs }, sampleAudit())
      expect(await rotate('sealed-2', 100)).toBe(true)
      expect(await rotate('sealed-3', 200)).toBe(true)
      expect(await organizations().findWebhookSecrets('org_1')).toStrictEqual({
        encryptedSecret: 'sealed-3',
        encryptedPreviousSecret: 'sealed-2',
        previousUntilMs: 200,
      })
      expect((await organizations().findWebhookSecrets('org_2'))?.encryptedSecret).toBe('other')
    })

    test('cannot be rotated for an unknown organization', async () => {
      const change = { id: 'org_1', encryptedSecret: 'sealed-2', previousUntilMs: 100 }
      expect(await organizations().rotateWebhookSecret(change, sampleAudit())).toBe(false)
    })
  })

  describe('the first organization', () => {
    test('comes with its user and its key', async () => {
      expect(await organizations().createFirst(sampleFirst(1), sampleAudit())).toBe(true)
      expect(await opened().store.apiKeys.findCaller('digest-1')).toStrictEqual({
        keyId: 'key_1',
        organizationId: 'org_1',
        userId: 'usr_1',
        keyRequestsPerMinute: null,
        organizationRequestsPerMinute: null,
        keepReplies: null,
        allowedModels: null,
        hasBudget: false,
        expiresAtMs: null,
        disabled: null,
      })
    })

    test('has credit, with its ledger entry', async () => {
      await organizations().createFirst(sampleFirst(1), sampleAudit())
      expect(await organizations().find('org_1')).toMatchObject({ balanceMicros: 25_000_000, heldMicros: 0 })
      const where = "organization_id = 'org_1' and kind = 'credit' and amount_micros = 25000000"
      expect(await opened().runSql(`select note from ledger_entries where ${where}`)).toEqual([
        { note: 'to begin with' },
      ])
    })

    test('is not made if another organization exists', async () => {
      await organizations().create(sampleOrganization({ id: 'org_2' }), sampleAudit())
      expect(await organizations().createFirst(sampleFirst(1), sampleAudit())).toBe(false)
      expect((await organizations().list()).map(({ id }) => id)).toEqual(['org_2'])
    })

    test('is made once when twenty programs start together', async () => {
      const second = await opened().openAgain()
      const attempts = Array.from({ length: 20 }, (_, number) =>
        (number % 2 === 0 ? organizations() : second.organizations).createFirst(
          sampleFirst(number),
          sampleAudit(),
        ),
      )
      const made = await Promise.all(attempts)
      expect(made.filter(Boolean)).toHaveLength(1)
      const winner = made.indexOf(true)
      expect((await organizations().list()).map(({ id }) => id)).toEqual([`org_${winner}`])
      expect(await opened().runSql('select id from api_keys')).toEqual([{ id: `key_${winner}` }])
      await second.close()
    })

    test('is made whole or not at all', async () => {
      const first = sampleFirst(1)
      const ofOtherUser = { ...first, apiKey: { ...first.apiKey, userId: 'usr_2' } }
      await expect(organizations().createFirst(ofOtherUser, sampleAudit())).rejects.toThrow()
      expect(await organizations().list()).toEqual([])
      expect(await opened().runSql('select id from users')).toEqual([])
    })
  })
}
