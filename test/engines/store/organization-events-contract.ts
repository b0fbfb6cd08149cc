import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { sampleGroup } from './sample-asset.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from './sample-rows.ts'

const URL = 'https://client.example/events'

export function describeOrganizationEvents(opened: GetOpened): void {
  const store = () => opened().store
  const events = () => store().organizationEvents

  /** A person of an organization takes the consent back. */
  async function revoke(organizationId: string, groupId: string): Promise<void> {
    await store().assets.bindPerson(
      sampleGroup({ id: groupId, organizationId, kind: 'person', ticket: `ticket-${groupId}` }),
      undefined,
    )
    const audit = sampleAudit({ action: 'person.revoke', subject: groupId })
    await store().erasures.revokeConsent({
      groupId,
      audit,
      deletableProviders: [],
      eventId: `msg_${groupId}`,
    })
  }
  const setUrl = (id: string, eventsUrl: string | null) =>
    store().organizations.update({ id, eventsUrl }, sampleAudit())
  const claim = (nowMs: number, limit = 10) => events().claimDue({ nowMs, leaseUntilMs: nowMs + 100, limit })
  /** Their state, and the status of the last attempt. */
  const standings = async () =>
    (await opened().runSql('select state, last_status from organization_events')).map(
      ({ state, last_status }) => `${state} ${last_status}`,
    )

  describe('events of an organization', () => {
    beforeEach(async () => {
      for (const id of ['org_1', 'org_2'])
        await store().organizations.create(sampleOrganization({ id }), sampleAudit())
      await setUrl('org_1', URL)
    })

    test('a revocation is told where the organization has an address, and else nowhere', async () => {
      await revoke('org_1', 'grp_1')
      await revoke('org_2', 'grp_2')
      expect(await claim(MORNING_MS - 1)).toMatchObject({ due: [] })
      const { due, abandoned } = await claim(MORNING_MS)
      expect(abandoned).toEqual([])
      expect(due).toEqual([
        {
          ...{ id: 'msg_grp_1', organizationId: 'org_1', type: 'person.revoked', subject: 'grp_1', url: URL },
          ...{ createdAtMs: MORNING_MS, attempt: 1, attemptsLeft: 2, fence: 1 },
        },
      ])
      expect(await claim(MORNING_MS + 99)).toMatchObject({ due: [] })
    })

    test('is given back uncounted, repeated, and over after three attempts without a known result', async () => {
      await revoke('org_1', 'grp_1')
      await claim(MORNING_MS)
      const unsent = { callbackId: 'msg_grp_1', fence: 1, nextAttemptAtMs: MORNING_MS + 1 }
      await events().giveBack(unsent)
      await events().giveBack(unsent)
      expect(await claim(MORNING_MS + 1)).toMatchObject({ due: [{ attempt: 1, fence: 3 }] })
      const attempt = { attempt: 1, atMs: MORNING_MS, status: 500, error: null }
      await events().recordAttempt({
        ...{ callbackId: 'msg_grp_1', fence: 3, attempt, outcome: 'again', nextAttemptAtMs: MORNING_MS + 5 },
      })
      expect(await standings()).toEqual(['pending 500'])
      expect(await claim(MORNING_MS + 5)).toMatchObject({ due: [{ attempt: 2, attemptsLeft: 1 }] })
      expect(await claim(MORNING_MS + 200)).toMatchObject({ due: [{ attempt: 3, attemptsLeft: 0 }] })
      expect(await claim(MORNING_MS + 400)).toMatchObject({
        ...{ due: [], abandoned: [{ organizationId: 'org_1' }] },
      })
      expect(await standings()).toEqual(['given-up 500'])
    })

    test('a late result of an earlier claim changes nothing; that of the last one ends it', async () => {
      await revoke('org_1', 'grp_1')
      await claim(MORNING_MS)
      await claim(MORNING_MS + 100)
      const record = (fence: number, status: number) =>
        events().recordAttempt({
          ...{ callbackId: 'msg_grp_1', fence, outcome: 'delivered', nextAttemptAtMs: null },
          attempt: { attempt: fence, atMs: MORNING_MS, status, error: null },
        })
      await record(1, 201)
      expect(await standings()).toEqual(['pending null'])
      await record(2, 204)
      expect(await standings()).toEqual(['delivered 204'])
      expect(await claim(MORNING_MS + 9_999)).toMatchObject({ due: [] })
    })

    test('go to the address of the moment, and to none after it was taken away or the organization erased', async () => {
      await revoke('org_1', 'grp_1')
      expect(await store().organizations.find('org_1')).toMatchObject({ eventsUrl: URL })
      await setUrl('org_1', 'https://other.example/')
      expect(await claim(MORNING_MS)).toMatchObject({ due: [{ url: 'https://other.example/' }] })
      await store().erasures.eraseOrganization({ id: 'org_1', atMs: MORNING_MS, audit: sampleAudit() })
      expect(await claim(MORNING_MS + 100)).toMatchObject({ due: [{ url: null }] })
      expect(await store().organizations.find('org_1')).toMatchObject({ eventsUrl: null })
    })

    test('each organization gets its share of a claim', async () => {
      await setUrl('org_2', URL)
      for (const number of [1, 2, 3]) await revoke('org_1', `grp_${number}`)
      await revoke('org_2', 'grp_9')
      const { due } = await claim(MORNING_MS, 2)
      expect(due.map(({ organizationId }) => organizationId).toSorted()).toEqual(['org_1', 'org_2'])
    })
  })
}
