import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, sampleAsset, sampleGroup, sampleVerification } from './sample-asset.ts'
import { addCredit } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { begin } from './sample-task.ts'

/** Uploads and face checks that end while their person or organization is erased. */
export function describeLateErasures(opened: GetOpened): void {
  const store = () => opened().store
  const erasures = () => store().erasures
  const person = (id: string, organizationId: string) =>
    store().assets.bindPerson(
      sampleGroup({ id, organizationId, kind: 'person', ticket: 'vendor-person' }),
      undefined,
    )
  const group = { groupId: 'grp_1', organizationId: 'org_1' }

  describe('what ends during an erasure', () => {
    beforeEach(async () => {
      await createOrganizations(store(), 'org_1', 'org_2')
      await person('grp_1', 'org_1')
    })

    test.each(['erase', 'revoke'] as const)(
      'an upload that ends at the same moment is erased with its group, or is queued for deletion alone: %s',
      async (how) => {
        const act = (groupId: string) =>
          how === 'erase'
            ? erasures().eraseGroup({ groupId, organizationId: 'org_1' }, sampleAudit(), ['vendorA'])
            : erasures().revokeConsent({
                ...{
                  groupId,
                  audit: sampleAudit(),
                  deletableProviders: ['vendorA'],
                },
              })
        for (let round = 1; round <= 10; round += 1) {
          const [groupId, ticket] = [`grp_r${round}`, `late-${round}`]
          await store().assets.bindPerson(
            sampleGroup({ id: groupId, kind: 'person', ticket: groupId }),
            undefined,
          )
          const asset = sampleAsset({ id: `ast_r${round}`, groupId, ticket })
          const [isStored, erased] = await Promise.all([
            store().assets.create(asset, { provider: 'vendorA', groupTicket: groupId }),
            act(groupId),
          ])
          expect(erased?.assets).toHaveLength(isStored ? 1 : 0)
          expect(await store().assets.find({ id: asset.id, organizationId: 'org_1' })).toBeUndefined()
          const queued = `select kind from vendor_removals where group_ticket = '${groupId}' order by kind`
          expect(await opened().runSql(queued)).toEqual([{ kind: 'asset' }, { kind: 'group' }])
        }
        expect(await opened().runSql("select * from asset_counts where group_id like 'grp_r%'")).toEqual([])
      },
    )

    test('an upload into an erased group is queued alone while another organization has the person', async () => {
      await person('grp_2', 'org_2')
      await erasures().eraseGroup(group, sampleAudit(), [])
      const late = sampleAsset({ id: 'ast_3', ticket: 'late' })
      expect(await store().assets.create(late, undefined)).toBe(false)
      expect(await opened().runSql('select ticket from vendor_removals')).toEqual([])
      const vendorCopy = { provider: 'vendorA', groupTicket: 'vendor-person' }
      expect(await store().assets.create(late, vendorCopy)).toBe(false)
      expect(await opened().runSql('select kind, ticket, organization_id from vendor_removals')).toEqual([
        { kind: 'asset', ticket: 'late', organization_id: 'org_1' },
      ])
    })

    test('a verification during its exchange does not bring the person back, and binds other people', async () => {
      for (const [id, isClaimed] of [
        ['ver_1', true],
        ['ver_2', false],
      ] as const) {
        await store().verifications.create(sampleVerification({ id, stateDigest: id }))
        if (isClaimed) await store().verifications.claimExchange({ id, atMs: MORNING_MS })
      }
      await store().assets.bindPerson(
        sampleGroup({ id: 'grp_8', kind: 'person', ticket: 'other' }),
        undefined,
      )
      await erasures().eraseGroup(group, sampleAudit(), [])
      await erasures().eraseGroup({ ...group, groupId: 'grp_8' }, sampleAudit(), [])
      const bind = (verificationId: string, ticket: string, isRemover = false) =>
        store().assets.bindPerson(sampleGroup({ id: `grp_${ticket}`, kind: 'person', ticket }), {
          ...{ verificationId, isRemover },
        })
      expect(await bind('ver_1', 'vendor-person')).toBeUndefined()
      expect(await opened().runSql('select ticket from vendor_removals')).toEqual([])
      expect(await bind('ver_1', 'other', true)).toBeUndefined()
      expect(await opened().runSql('select kind, ticket from vendor_removals')).toEqual([
        { kind: 'group', ticket: 'other' },
      ])
      expect(await bind('ver_1', 'third')).toMatchObject({ id: 'grp_third' })
      // The scan of this verification comes after the erasure: the person consents again.
      expect(await bind('ver_2', 'vendor-person')).toMatchObject({ id: 'grp_vendor-person' })
      expect(await bind('ver_9', 'fourth')).toBeUndefined()
    })

    test('a verification that binds the person at the same moment leaves no group, or an erased group', async () => {
      for (let round = 1; round <= 10; round += 1) {
        const [groupId, id] = [`grp_r${round}`, `ver_${round}`]
        const bound = sampleGroup({ id: groupId, kind: 'person', ticket: groupId })
        await store().assets.bindPerson(bound, undefined)
        await store().verifications.create(sampleVerification({ id, stateDigest: id }))
        await store().verifications.claimExchange({ id, atMs: MORNING_MS })
        await Promise.all([
          store().assets.bindPerson(
            { ...bound, id: `${groupId}_new` },
            { verificationId: id, isRemover: false },
          ),
          erasures().eraseGroup({ groupId, organizationId: 'org_1' }, sampleAudit(), []),
        ])
        const left = `select id from asset_groups where ticket = '${groupId}'`
        expect(await opened().runSql(left)).toEqual([])
      }
    })

    describe('a default group', () => {
      const eraseAll = async (id: string) => {
        await erasures().eraseOrganization({ id, atMs: MORNING_MS, audit: sampleAudit() })
        const erased = []
        for (const groupId of await erasures().listGroups(id))
          erased.push(
            await erasures().eraseGroup({ groupId, organizationId: id }, sampleAudit(), ['vendorA']),
          )
        return erased
      }
      const left = (organizationId: string) =>
        opened().runSql(`select id from asset_groups where organization_id = '${organizationId}'`)
      const queued = (ticket: string) =>
        opened().runSql(`select kind, organization_id from vendor_removals where ticket = '${ticket}'`)

      test('that is set at the same moment is erased with its organization, or is queued for deletion alone', async () => {
        for (let round = 1; round <= 20; round += 1) {
          const [organizationId, ticket] = [`org_r${round}`, `default-${round}`]
          await createOrganizations(store(), organizationId)
          const made = sampleGroup({ id: `grp_d${round}`, organizationId, ticket })
          const [stored, erased] = await Promise.all([
            store().assets.setDefaultGroup({ ...made, isRemover: true }),
            eraseAll(organizationId),
          ])
          expect(erased).toHaveLength(stored === undefined ? 0 : 1)
          expect(await left(organizationId)).toEqual([])
          expect(await queued(ticket)).toEqual([{ kind: 'group', organization_id: organizationId }])
        }
      })

      test('of an erased organization is not stored, and queued only where the vendor can delete', async () => {
        await eraseAll('org_2')
        const made = sampleGroup({ id: 'grp_d', organizationId: 'org_2', ticket: 'default' })
        expect(await store().assets.setDefaultGroup(made)).toBeUndefined()
        expect(await queued('default')).toEqual([])
        expect(await store().assets.setDefaultGroup({ ...made, isRemover: true })).toBeUndefined()
        expect(await queued('default')).toEqual([{ kind: 'group', organization_id: 'org_2' }])
        expect(await left('org_2')).toEqual([])
      })

      test('that was stored before the organization was disabled stays in use when its write is repeated', async () => {
        const made = sampleGroup({ id: 'grp_d', organizationId: 'org_2', ticket: 'default' })
        await store().assets.setDefaultGroup({ ...made, isRemover: true })
        const change = { id: 'org_2', disabledAtMs: MORNING_MS }
        await store().organizations.setDisabled(change, sampleAudit())
        expect(await store().assets.setDefaultGroup({ ...made, isRemover: true })).toBeUndefined()
        expect(await queued('default')).toEqual([])
        expect(await left('org_2')).toEqual([{ id: 'grp_d' }])
      })
    })

    describe('an organization', () => {
      const erase = (id: string) =>
        erasures().eraseOrganization({ id, atMs: MORNING_MS, audit: sampleAudit({ action: 'x.erase' }) })
      const named = (id: string) => ({ id: `usr_${id}`, organizationId: id, name: 'Ada Secret' })
      const keyOf = (id: string) => ({ ...named(id), id: `key_${id}`, userId: `usr_${id}`, digest: id })
      const audit = (organizationId: string) =>
        sampleAudit({ action: 'user.create', organizationId, detail: { name: 'Ada Secret' } })
      const open = async (id: string) => {
        await createOrganizations(store(), id)
        await addCredit(store(), { id, amount: 1_000 })
        await store().users.create(sampleUser(named(id)), audit(id))
        await store().apiKeys.create(sampleApiKey(keyOf(id)), audit(id))
      }
      const taskOf = (id: string) => ({
        ...{ id: `task_${id}`, organizationId: id, userId: `usr_${id}`, keyId: `key_${id}` },
        metadata: '{"name":"Ada Secret"}',
      })
      const secretsOf = async (id: string) =>
        (
          await opened().runSql(`
            select metadata as word from video_tasks where organization_id = '${id}' and metadata <> '{}'
            union all select name from users where organization_id = '${id}' and name <> ''
            union all select name from api_keys where organization_id = '${id}' and name <> ''
            union all select detail from audit_events where organization_id = '${id}' and detail like '%Secret%'`)
        ).map(({ word }) => word)

      test('removes the metadata of tasks that have not ended', async () => {
        await open('org_3')
        await begin(store(), taskOf('org_3'))
        await erase('org_3')
        expect(await secretsOf('org_3')).toEqual([])
        expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 9 })).toEqual([])
      })

      test('includes changes of the same moment, and allows none after it', async () => {
        for (let round = 1; round <= 20; round += 1) {
          const id = `org_c${round}`
          await open(id)
          const change = () =>
            Promise.all([
              store().organizations.update({ id, name: 'Ada Secret' }, audit(id)),
              store().organizations.setDisabled({ id, disabledAtMs: null }, audit(id)),
              store().users.setDisabled({ id: `usr_${id}`, disabledAtMs: null }, audit(id)),
              store().users.create(sampleUser({ ...named(id), id: `usr_2${id}` }), audit(id)),
              store().apiKeys.create(
                sampleApiKey({ ...keyOf(id), id: `key_2${id}`, digest: `2${id}` }),
                audit(id),
              ),
            ])
          await Promise.all([change(), erase(id)])
          expect(await change()).toEqual([{ kind: 'not-found' }, undefined, undefined, false, false])
          expect(await secretsOf(id)).toEqual([])
          const active = `
            select id from organizations where id = '${id}' and (disabled_at_ms is null or name <> '')
            union all select id from users where organization_id = '${id}' and disabled_at_ms is null
            union all select id from api_keys where organization_id = '${id}' and revoked_at_ms is null`
          expect(await opened().runSql(active)).toEqual([])
        }
      })

      test('includes a task that begins at the same moment, and none begins after it', async () => {
        for (let round = 1; round <= 20; round += 1) {
          const id = `org_r${round}`
          await open(id)
          const [begun] = await Promise.all([begin(store(), taskOf(id)), erase(id)])
          expect(['begun', 'organization-disabled']).toContain(begun.kind)
          expect(await secretsOf(id)).toEqual([])
          const again = await begin(store(), { ...taskOf(id), id: `task_again${round}` })
          expect(again).toEqual({ kind: 'organization-disabled' })
        }
        expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 9 })).toEqual([])
      })
    })

    test('a key that is reported as expiring at the same moment leaves no event with its name', async () => {
      for (let round = 1; round <= 10; round += 1) {
        const id = `usr_r${round}`
        const named = { id: `key_r${round}`, userId: id, digest: `digest-r${round}`, name: 'Eve Secret' }
        await store().users.create(sampleUser({ id }), sampleAudit())
        const key = sampleApiKey({ ...named, expiresAtMs: MORNING_MS + 1_000 })
        await store().apiKeys.create(key, sampleAudit())
        await Promise.all([
          store().events.reportExpiringKeys({ atMs: MORNING_MS, untilMs: MORNING_MS + 9_000, limit: 9 }),
          erasures().eraseUser({ id, atMs: MORNING_MS, audit: sampleAudit() }),
        ])
      }
      expect(JSON.stringify(await opened().runSql('select * from events'))).not.toContain('Eve Secret')
    })

    test('an erased organization loses its verifications: a person who returns later is bound to no group', async () => {
      await store().verifications.create(sampleVerification())
      await erasures().eraseOrganization({ id: 'org_1', atMs: MORNING_MS, audit: sampleAudit() })
      const late = sampleGroup({ id: 'grp_late', kind: 'person', ticket: 'late' })
      const by = { verificationId: 'ver_1', isRemover: true }
      expect(await store().assets.bindPerson(late, by)).toBeUndefined()
      expect(await opened().runSql('select kind, ticket from vendor_removals')).toEqual([
        { kind: 'group', ticket: 'late' },
      ])
    })
  })
}
