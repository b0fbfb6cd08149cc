import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { sampleAsset, sampleGroup } from './sample-asset.ts'
import { addCredit, readMoney } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleOrganization, sampleUser } from './sample-rows.ts'
import { accept, begin, sampleMove } from './sample-task.ts'

export function describeErasures(opened: GetOpened): void {
  const store = () => opened().store
  const erasures = () => store().erasures
  const person = (id: string, organizationId: string) =>
    store().assets.bindPerson(
      sampleGroup({ id, organizationId, kind: 'person', ticket: 'vendor-person' }),
      undefined,
    )
  const group = { groupId: 'grp_1', organizationId: 'org_1' }
  const actions = async () =>
    (await store().audit.list({ limit: 50 }))
      .map(({ action }) => action)
      .filter((name) => name.endsWith('.erase'))

  beforeEach(async () => {
    for (const id of ['org_1', 'org_2']) {
      await store().organizations.create(
        sampleOrganization({ id, name: 'Acme Secret' }),
        sampleAudit({ action: 'organization.create', organizationId: id, detail: { name: 'Acme Secret' } }),
      )
    }
  })

  describe('erasing a person', () => {
    beforeEach(async () => {
      await person('grp_1', 'org_1')
      await store().assets.create(sampleAsset(), undefined)
      await store().assets.create(
        sampleAsset({ id: 'ast_2', ticket: 'asset-ticket-2', name: null }),
        undefined,
      )
    })

    test('removes group and portraits, and names the copies of the vendor', async () => {
      expect(await erasures().findPerson(group)).toMatchObject({
        id: 'grp_1',
        assets: [{ id: 'ast_1', status: 'processing' }, { id: 'ast_2' }],
      })
      expect(await erasures().eraseGroup(group, sampleAudit({ action: 'person.erase' }), [])).toEqual({
        groupId: 'grp_1',
        provider: 'vendorA',
        groupTicket: 'vendor-person',
        isShared: false,
        isQueued: false,
        assets: [
          { id: 'ast_1', ticket: 'asset-ticket-1' },
          { id: 'ast_2', ticket: 'asset-ticket-2' },
        ],
        files: [],
      })
      expect(await erasures().findPerson(group)).toBeUndefined()
      expect(await store().assets.find({ id: 'ast_1', organizationId: 'org_1' })).toBeUndefined()
      expect(await store().assets.findGroup({ id: 'grp_1', organizationId: 'org_1' })).toBeUndefined()
      expect(await opened().runSql('select * from asset_counts')).toEqual([])
      expect(await actions()).toEqual(['person.erase'])
    })

    test('deletes the requests of open tasks with the person, so that no stand-in makes them', async () => {
      await store().users.create(sampleUser(), sampleAudit())
      await store().apiKeys.create(sampleApiKey(), sampleAudit())
      await addCredit(store(), { amount: 1_000 })
      const part = { standIns: ['vendorB/gen-v4-std'], encryptedRequest: 'sealed-request' }
      await begin(store(), { id: 'task_1', ...part }, { groupIds: ['grp_1'] })
      await begin(store(), { id: 'task_2', ...part })
      await erasures().eraseGroup(group, sampleAudit(), [])
      expect(await store().tasks.findRequest('task_1')).toBeUndefined()
      expect(await store().tasks.findForOperator('task_1')).toMatchObject({ standIns: [] })
      expect(await store().tasks.findRequest('task_2')).toBe('sealed-request')
    })

    test('queues the copies for deletion if the provider can delete: assets first, and the group after them', async () => {
      expect(await erasures().eraseGroup(group, sampleAudit(), ['vendorA'])).toMatchObject({ isQueued: true })
      const claim = (nowMs: number, provider = 'vendorA') =>
        erasures().claimRemovals({ provider, nowMs, leaseUntilMs: nowMs + 100, limit: 10 })
      expect(await claim(MORNING_MS, 'vendorB')).toEqual([])
      const claimed = await claim(MORNING_MS)
      const copy = { provider: 'vendorA', organizationId: 'org_1', attempts: 1 }
      expect(claimed.toSorted((one, other) => (one.ticket < other.ticket ? -1 : 1))).toEqual([
        { ...copy, kind: 'asset', ticket: 'asset-ticket-1' },
        { ...copy, kind: 'asset', ticket: 'asset-ticket-2' },
      ])
      expect(await claim(MORNING_MS + 99)).toEqual([])
      const [first, second] = claimed
      if (first === undefined || second === undefined) throw new Error('both were claimed')
      await erasures().finishRemoval(first)
      await erasures().postponeRemoval({ ...second, dueAtMs: MORNING_MS + 5_000 })
      expect(await claim(MORNING_MS + 4_999)).toEqual([])
      expect(await claim(MORNING_MS + 5_000)).toMatchObject([{ ticket: second.ticket, attempts: 2 }])
      await erasures().finishRemoval(second)
      expect(await claim(MORNING_MS + 5_000)).toMatchObject([{ kind: 'group', ticket: 'vendor-person' }])
      expect(await claim(MORNING_MS + 5_100)).toMatchObject([{ kind: 'group', attempts: 2 }])
    })

    test('keeps the group at the vendor if an organization verified the person again, and keeps a shared group', async () => {
      const groups = () => opened().runSql("select ticket from vendor_removals where kind = 'group'")
      await erasures().eraseGroup(group, sampleAudit(), ['vendorA'])
      expect(await groups()).toEqual([{ ticket: 'vendor-person' }])
      await person('grp_3', 'org_2')
      await erasures().claimRemovals({
        ...{ provider: 'vendorA', nowMs: MORNING_MS, leaseUntilMs: MORNING_MS, limit: 10 },
      })
      expect(await groups()).toEqual([])
      await person('grp_4', 'org_1')
      const again = { groupId: 'grp_4', organizationId: 'org_1' }
      expect(await erasures().eraseGroup(again, sampleAudit(), ['vendorA'])).toMatchObject({ isShared: true })
      expect(await groups()).toEqual([])
    })

    test('acts for one organization: another that verified the same person keeps its group', async () => {
      await person('grp_2', 'org_2')
      expect(await erasures().eraseGroup(group, sampleAudit(), [])).toMatchObject({ isShared: true })
      expect(await erasures().findPerson({ groupId: 'grp_2', organizationId: 'org_2' })).toBeDefined()
    })

    test.each([
      { groupId: 'grp_1', organizationId: 'org_2' },
      { groupId: 'grp_9', organizationId: 'org_1' },
    ])('does nothing for %o', async (other) => {
      expect(await erasures().findPerson(other)).toBeUndefined()
      expect(await erasures().eraseGroup(other, sampleAudit({ action: 'person.erase' }), [])).toBeUndefined()
      expect(await erasures().findPerson(group)).toBeDefined()
      expect(await actions()).toEqual([])
    })
  })

  describe('revoking the consent of a person', () => {
    const revoke = (groupId = 'grp_1', deletableProviders: string[] = []) =>
      erasures().revokeConsent({
        groupId,
        audit: sampleAudit({
          ...{ action: 'person.revoke', actor: 'person', organizationId: null, subject: groupId },
        }),
        deletableProviders,
      })
    beforeEach(async () => {
      await person('grp_1', 'org_1')
      await store().assets.create(sampleAsset(), undefined)
    })

    test('erases group and portraits of one organization once, and records that the person asked for it', async () => {
      await person('grp_2', 'org_2')
      const given = { organizationName: 'Acme Secret', verifiedAtMs: MORNING_MS, revokedAtMs: null }
      expect(await erasures().findConsent('grp_1')).toEqual(given)
      expect(await revoke('grp_1', ['vendorA'])).toMatchObject({
        ...{ groupId: 'grp_1', isQueued: true, isShared: true, assets: [{ id: 'ast_1' }] },
      })
      expect(await erasures().findConsent('grp_1')).toEqual({ ...given, revokedAtMs: MORNING_MS })
      expect(await erasures().findPerson(group)).toBeUndefined()
      expect(await erasures().findConsent('grp_2')).toEqual(given)
      expect(await opened().runSql('select ticket from vendor_removals')).toEqual([
        { ticket: 'asset-ticket-1' },
      ])
      expect(await revoke()).toBeUndefined()
      const rows = await store().audit.list({ limit: 9, action: 'person.revoke' })
      expect(rows).toMatchObject([{ actor: 'person', organizationId: 'org_1', subject: 'grp_1' }])
    })

    describe('with tasks that show the person', () => {
      const withheldOf = async (id: string) => (await store().tasks.findForOperator(id))?.withheldAtMs
      beforeEach(async () => {
        await store().users.create(sampleUser(), sampleAudit())
        await store().apiKeys.create(sampleApiKey(), sampleAudit())
        await addCredit(store(), { amount: 10_000 })
      })

      test('withholds the results of these tasks, also of ended tasks, and of no others', async () => {
        const groupIds = ['grp_1']
        await begin(store(), { id: 'task_new' }, { groupIds })
        for (const id of ['task_queued', 'task_running', 'task_ended', 'task_other']) {
          await begin(store(), { id }, { groupIds: id === 'task_other' ? [] : groupIds })
          await accept(store(), sampleMove('queued', { id }))
        }
        await store().tasks.move(sampleMove('running', { id: 'task_running' }))
        const end = (id: string) =>
          store().tasks.move(sampleMove('succeeded', { id, encryptedContent: 'link' }))
        await end('task_ended')
        await revoke()
        expect(await Promise.all(['task_new', 'task_queued', 'task_running'].map(withheldOf))).toEqual([
          ...[MORNING_MS, MORNING_MS, MORNING_MS],
        ])
        expect(await Promise.all(['task_ended', 'task_other'].map(withheldOf))).toEqual([MORNING_MS, null])
        expect(await end('task_running')).toMatchObject({
          ...{ kind: 'moved', ended: true, task: { status: 'succeeded', encryptedContent: null } },
        })
        await end('task_running')
        await accept(store(), sampleMove('succeeded', { id: 'task_new', encryptedContent: 'link' }))
        for (const id of ['task_running', 'task_new'])
          expect(await store().tasks.findWhole(id)).toMatchObject({ encryptedContent: null })
        expect(await store().tasks.findWhole('task_ended')).toMatchObject({ encryptedContent: null })
        const { tasks } = await store().tasks.claimDue({
          ...{ provider: 'vendorA', nowMs: MORNING_MS, leaseUntilMs: MORNING_MS + 100, limit: 9 },
        })
        expect(tasks).toMatchObject([{ id: 'task_queued', withheldAtMs: MORNING_MS }])
        expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 9 })).toEqual([])
      })

      test('a task that begins at the same moment is refused, or its result is withheld', async () => {
        for (let round = 1; round <= 10; round += 1) {
          const [id, groupId] = [`task_${round}`, `grp_r${round}`]
          await person(groupId, 'org_1')
          const [begun] = await Promise.all([
            begin(store(), { id }, { groupIds: [groupId] }),
            revoke(groupId),
          ])
          if (begun.kind === 'begun') expect(await withheldOf(id)).toBe(MORNING_MS)
          else expect(begun.kind).toBe('group-gone')
        }
      })
    })

    test('of two simultaneous revocations one takes effect', async () => {
      const both = await Promise.all([revoke(), revoke()])
      expect(both.filter((erased) => erased !== undefined)).toHaveLength(1)
    })

    test('does nothing for an erased group and for a group without a person, and finds no consent of them', async () => {
      await store().assets.setDefaultGroup(sampleGroup({ id: 'grp_5', organizationId: 'org_1' }))
      await erasures().eraseGroup(group, sampleAudit(), [])
      for (const id of ['grp_1', 'grp_5', 'grp_9']) {
        expect(await revoke(id)).toBeUndefined()
        expect(await erasures().findConsent(id)).toBeUndefined()
      }
      expect(await opened().runSql('select group_id from revocations')).toEqual([])
    })
  })

  describe('erasing an organization or a user', () => {
    const erasure = (id: string) => ({ id, atMs: MORNING_MS, audit: sampleAudit({ action: 'x.erase' }) })
    beforeEach(async () => {
      const named = (action: string, subject: string) =>
        sampleAudit({ action, subject, organizationId: 'org_1', detail: { name: 'Ada Secret' } })
      await store().users.create(sampleUser({ name: 'Ada Secret' }), named('user.create', 'usr_1'))
      const key = sampleApiKey({ name: 'Ada Secret', expiresAtMs: MORNING_MS + 2_000 })
      await store().apiKeys.create(key, named('key.create', 'key_1'))
      await addCredit(store(), { amount: 500 })
    })
    const eventsText = async () => JSON.stringify(await opened().runSql('select * from events'))
    /** Reports the keys for operators and for their organization. */
    const reportExpiring = async () => {
      const change = { id: 'org_1', eventsUrl: 'https://hooks.example' }
      await store().organizations.update(change, sampleAudit({ action: 'organization.update' }))
      await store().events.reportExpiringKeys({ atMs: MORNING_MS, untilMs: MORNING_MS + 9_000, limit: 9 })
    }

    test('removes every name, stops its keys, and keeps the ledger', async () => {
      expect(await erasures().eraseOrganization(erasure('org_1'))).toEqual([])
      expect(await store().organizations.find('org_1')).toMatchObject({ name: '', disabledAtMs: MORNING_MS })
      expect(await store().users.list('org_1')).toMatchObject([{ name: '', disabledAtMs: MORNING_MS }])
      expect(await store().apiKeys.list('org_1')).toMatchObject([{ name: '', revokedAtMs: MORNING_MS }])
      const ofIt = (await store().audit.list({ limit: 50 })).filter((row) => row.organizationId === 'org_1')
      expect(JSON.stringify(ofIt)).not.toContain('Secret')
      expect(await readMoney(store())).toEqual({ balance: 500, held: 0 })
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 9 })).toEqual([])
      expect(await store().organizations.find('org_2')).toMatchObject({
        name: 'Acme Secret',
        disabledAtMs: null,
      })
    })

    test('of a user removes the names of the user and of the keys, and keeps the organization', async () => {
      expect(await erasures().eraseUser(erasure('usr_1'))).toBe('org_1')
      expect(await store().users.list('org_1')).toMatchObject([{ name: '', disabledAtMs: MORNING_MS }])
      expect(await store().apiKeys.findCaller('digest-1')).toBeUndefined()
      expect(await store().organizations.find('org_1')).toMatchObject({ name: 'Acme Secret' })
      expect(JSON.stringify(await store().audit.list({ limit: 50 }))).not.toContain('Ada Secret')
    })

    test.each(['organization', 'user'] as const)(
      'of the %s removes events that name its keys',
      async (what) => {
        await store().users.create(sampleUser({ id: 'usr_2', name: 'Bob' }), sampleAudit())
        const other = sampleApiKey({ id: 'key_12', userId: 'usr_2', name: 'Bob', digest: 'digest-2' })
        await store().apiKeys.create({ ...other, expiresAtMs: MORNING_MS + 1_000 }, sampleAudit())
        await reportExpiring()
        await opened().runSql('update api_keys set expires_at_ms = expires_at_ms + 1')
        await reportExpiring()
        expect((await eventsText()).match(/Ada Secret/g)).toHaveLength(4)
        if (what === 'user') await erasures().eraseUser(erasure('usr_1'))
        else await erasures().eraseOrganization(erasure('org_1'))
        await reportExpiring()
        expect(await eventsText()).not.toContain('Secret')
        expect((await eventsText()).match(/Bob/g) ?? []).toHaveLength(what === 'user' ? 4 : 0)
      },
    )

    test('that is unknown has no effect', async () => {
      expect(await erasures().eraseOrganization(erasure('org_9'))).toBeUndefined()
      expect(await erasures().eraseUser(erasure('usr_9'))).toBeUndefined()
      expect(await actions()).toEqual([])
    })
  })
}
