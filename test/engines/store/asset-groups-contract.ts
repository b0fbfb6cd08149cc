import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, sampleGroup } from './sample-asset.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeAssetGroups(opened: GetOpened): void {
  const assets = () => opened().store.assets
  const NOW_MS = MORNING_MS
  const LEASE_MS = 60_000
  const claim = ({
    organizationId = 'org_1',
    provider = 'vendorA',
    nowMs = NOW_MS,
    seenTicket = undefined as string | undefined,
  } = {}) =>
    assets().claimDefaultGroup({
      organizationId,
      provider,
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
      seenTicket,
    })
  const findDefault = (organizationId = 'org_1', provider = 'vendorA') =>
    assets().findDefaultGroup({ organizationId, provider })

  describe('the default group', () => {
    beforeEach(() => createOrganizations(opened().store, 'org_1', 'org_2'))

    test('a claim from before the clock went back delays no later claim', async () => {
      expect(await claim()).toBe(true)
      expect(await claim({ nowMs: NOW_MS - 30_000 })).toBe(false)
      expect(await claim({ nowMs: NOW_MS - 3_600_000 })).toBe(true)
    })

    test('is claimed once before it exists, and does not exist while it is made', async () => {
      expect(await findDefault()).toBeUndefined()
      expect(await claim()).toBe(true)
      expect(await claim()).toBe(false)
      expect(await findDefault()).toBeUndefined()
    })

    test('is claimed separately for each organization and provider', async () => {
      expect(await claim()).toBe(true)
      expect(await claim({ organizationId: 'org_2' })).toBe(true)
      expect(await claim({ provider: 'vendorB' })).toBe(true)
    })

    test('can be claimed again when the lease has lapsed, not earlier', async () => {
      await claim()
      expect(await claim({ nowMs: NOW_MS + LEASE_MS - 1 })).toBe(false)
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toBe(true)
      expect(await claim({ nowMs: NOW_MS + LEASE_MS })).toBe(false)
    })

    test('can be claimed again by its holder at the end of the lease, once', async () => {
      await claim()
      const endMs = NOW_MS + LEASE_MS
      expect(await claim({ nowMs: endMs })).toBe(true)
      // A process that still has the old lease has lost the claim.
      expect(await claim({ nowMs: endMs })).toBe(false)
    })

    test('can be claimed again after the claim was returned', async () => {
      await claim()
      const mine = { organizationId: 'org_1', provider: 'vendorA', leaseUntilMs: NOW_MS + LEASE_MS }
      await assets().releaseDefaultGroup({ ...mine, organizationId: 'org_2' })
      await assets().releaseDefaultGroup({ ...mine, provider: 'vendorB' })
      await assets().releaseDefaultGroup({ ...mine, leaseUntilMs: NOW_MS + LEASE_MS - 1 })
      expect(await claim()).toBe(false)
      await assets().releaseDefaultGroup(mine)
      expect(await claim()).toBe(true)
    })

    test('is found by its organization and provider once it is set', async () => {
      await claim()
      expect(await assets().setDefaultGroup(sampleGroup())).toStrictEqual(sampleGroup())
      expect(await findDefault()).toStrictEqual(sampleGroup())
      expect(await findDefault('org_2')).toBeUndefined()
      expect(await findDefault('org_1', 'vendorB')).toBeUndefined()
    })

    test('cannot be claimed when it exists unseen, nor with an outdated ticket', async () => {
      await claim()
      await assets().setDefaultGroup(sampleGroup())
      expect(await claim()).toBe(false)
      expect(await claim({ seenTicket: 'group-ticket-0' })).toBe(false)
      expect(await claim({ seenTicket: 'group-ticket-1' })).toBe(true)
    })

    test('a claim without a result leaves no lease behind', async () => {
      await assets().setDefaultGroup(sampleGroup())
      expect(await claim()).toBe(false)
      expect(await opened().runSql('select * from default_group_claims')).toEqual([])
    })

    test('keeps our id and its age when it is made again', async () => {
      await assets().setDefaultGroup(sampleGroup())
      await claim({ seenTicket: 'group-ticket-1' })
      const again = sampleGroup({ id: 'grp_2', ticket: 'group-ticket-2', createdAtMs: MORNING_MS + 9 })
      const kept = sampleGroup({ ticket: 'group-ticket-2' })
      expect(await assets().setDefaultGroup({ ...again, insteadOf: 'group-ticket-1' })).toStrictEqual(kept)
      expect(await findDefault()).toStrictEqual(kept)
      expect(await claim({ seenTicket: 'group-ticket-2' })).toBe(true)
    })
  })

  describe('a default group that is written late', () => {
    beforeEach(() => createOrganizations(opened().store, 'org_1', 'org_2'))
    const late = sampleGroup({ id: 'grp_2', ticket: 'group-ticket-2' })

    test.each([undefined, 'group-ticket-0'])('keeps the existing group, instead of %s', async (insteadOf) => {
      await assets().setDefaultGroup(sampleGroup())
      expect(await assets().setDefaultGroup({ ...late, insteadOf })).toStrictEqual(sampleGroup())
      expect(await findDefault()).toStrictEqual(sampleGroup())
    })

    test('is the same when it is written twice', async () => {
      await assets().setDefaultGroup(sampleGroup())
      const kept = sampleGroup({ ticket: 'group-ticket-2' })
      for (let time = 0; time < 2; time += 1) {
        expect(await assets().setDefaultGroup({ ...late, insteadOf: 'group-ticket-1' })).toStrictEqual(kept)
      }
    })
  })

  describe('the group of a person', () => {
    const person = (part: Parameters<typeof sampleGroup>[0] = {}) =>
      sampleGroup({ kind: 'person', id: 'grp_p1', ticket: 'person-1', ...part })

    beforeEach(() => createOrganizations(opened().store, 'org_1', 'org_2'))

    test('is bound once: the first group stays', async () => {
      expect(await assets().bindPerson(person(), undefined)).toStrictEqual(person())
      const again = person({ id: 'grp_p2', createdAtMs: MORNING_MS + 9 })
      expect(await assets().bindPerson(again, undefined)).toStrictEqual(person())
      expect(await assets().findGroup({ id: 'grp_p2', organizationId: 'org_1' })).toBeUndefined()
    })

    test('each organization that verified the person has its own', async () => {
      await assets().bindPerson(person(), undefined)
      const other = person({ id: 'grp_p2', organizationId: 'org_2' })
      expect(await assets().bindPerson(other, undefined)).toStrictEqual(other)
      const elsewhere = person({ id: 'grp_p3', provider: 'vendorB' })
      expect(await assets().bindPerson(elsewhere, undefined)).toStrictEqual(elsewhere)
    })

    test('many people have a group each, and none is the default group', async () => {
      await assets().bindPerson(person(), undefined)
      await assets().bindPerson(person({ id: 'grp_p2', ticket: 'person-2' }), undefined)
      expect(await findDefault()).toBeUndefined()
      expect(await claim()).toBe(true)
      await assets().setDefaultGroup(sampleGroup())
      expect(await findDefault()).toMatchObject({ id: 'grp_1' })
    })

    test('is found by its own organization only', async () => {
      await assets().bindPerson(person(), undefined)
      expect(await assets().findGroup({ id: 'grp_p1', organizationId: 'org_1' })).toStrictEqual(person())
      expect(await assets().findGroup({ id: 'grp_p1', organizationId: 'org_2' })).toBeUndefined()
      expect(await assets().findGroup({ id: 'grp_9', organizationId: 'org_1' })).toBeUndefined()
    })
  })
}
