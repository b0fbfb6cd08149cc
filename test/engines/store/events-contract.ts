import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import { sampleGroup } from './sample-asset.ts'
import { createFunded } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleOrganization, sampleUser } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

const URL = 'https://client.example/events'
const DAY_MS = 86_400_000

export function describeEvents(opened: GetOpened): void {
  const store = () => opened().store
  const events = () => store().events

  /** Binds a person to an organization, and revokes the person's consent. */
  async function revoke(organizationId: string, groupId: string): Promise<void> {
    await store().assets.bindPerson(
      sampleGroup({ id: groupId, organizationId, kind: 'person', ticket: `ticket-${groupId}` }),
      undefined,
    )
    const audit = sampleAudit({ action: 'person.revoke', subject: groupId })
    await store().erasures.revokeConsent({ groupId, audit, deletableProviders: [] })
  }
  const setUrl = (id: string, eventsUrl: string | null) =>
    store().organizations.update({ id, eventsUrl }, sampleAudit())
  const claim = async (nowMs: number, limit = 10) => {
    const claimed = await events().claimDue({ nowMs, leaseUntilMs: nowMs + 100, limit })
    const due = claimed.due.toSorted((one, other) => (one.organizationId < other.organizationId ? -1 : 1))
    return { ...claimed, due }
  }
  /** The events of a type: receiver and data. */
  const listed = async (type: string) =>
    (await events().page({ limit: 100 }))
      .filter((event) => event.type === type)
      .map(({ organizationId, data }) => ({ receiver: organizationId, ...JSON.parse(data) }))
      .toSorted((one, other) => (one.receiver < other.receiver ? -1 : 1))
  const credit = (entryId: string, amount: number, organizationId = 'org_1') =>
    store().ledger.addCredit(
      { entryId, organizationId, amountMicros: micros(amount), note: 'x', atMs: MORNING_MS },
      sampleAudit(),
    )

  describe('events', () => {
    beforeEach(async () => {
      for (const id of ['org_1', 'org_2'])
        await store().organizations.create(sampleOrganization({ id }), sampleAudit())
      await setUrl('org_1', URL)
    })

    test('a revocation is written for operators, and for the organization if it has an address', async () => {
      await revoke('org_1', 'grp_1')
      await revoke('org_2', 'grp_2')
      expect(await claim(MORNING_MS - 1)).toMatchObject({ due: [] })
      const { due, abandoned } = await claim(MORNING_MS)
      expect(abandoned).toEqual([])
      expect(
        due.map(({ organizationId, url, attempt, attemptsLeft, fence }) => [
          ...[organizationId, url, attempt, attemptsLeft, fence],
        ]),
      ).toEqual([
        ['operator', null, 1, 29, 1],
        ['operator', null, 1, 29, 1],
        ['org_1', URL, 1, 29, 1],
      ])
      expect(JSON.parse(due[2]?.data ?? '')).toEqual({
        organization_id: 'org_1',
        group_id: 'grp_1',
        revoked_at: new Date(MORNING_MS).toISOString(),
      })
      expect(await claim(MORNING_MS + 99)).toMatchObject({ due: [] })
    })

    test('a returned attempt is not counted and is repeated, and its late result changes nothing', async () => {
      await revoke('org_2', 'grp_1')
      const [first] = (await claim(MORNING_MS)).due
      const id = first?.id ?? ''
      const unsent = { callbackId: id, fence: 1, nextAttemptAtMs: MORNING_MS + 1 }
      await events().giveBack(unsent)
      await events().giveBack(unsent)
      expect(await claim(MORNING_MS + 1)).toMatchObject({ due: [{ attempt: 1, fence: 3 }] })
      const attempt = { attempt: 1, atMs: MORNING_MS, status: 500, error: null }
      const record = { callbackId: id, attempt, nextAttemptAtMs: MORNING_MS + 5 }
      await events().recordAttempt({ ...record, fence: 3, outcome: 'again' })
      expect(await events().page({ limit: 1 })).toMatchObject([{ state: 'pending', lastStatus: 500 }])
      expect(await claim(MORNING_MS + 5)).toMatchObject({ due: [{ attempt: 2, attemptsLeft: 28 }] })
      await events().recordAttempt({ ...record, fence: 3, outcome: 'delivered', nextAttemptAtMs: null })
      expect(await events().page({ limit: 1 })).toMatchObject([{ state: 'pending', attempts: 2 }])
      await events().recordAttempt({ ...record, fence: 4, outcome: 'given-up', nextAttemptAtMs: null })
      expect(await events().page({ limit: 1 })).toMatchObject([{ state: 'given-up', nextAttemptAtMs: null }])
      expect(await events().resend({ id, atMs: MORNING_MS + 9 }, sampleAudit())).toMatchObject({
        ...{ id, state: 'pending', attempts: 2, nextAttemptAtMs: MORNING_MS + 9 },
      })
      expect(await claim(MORNING_MS + 9)).toMatchObject({ due: [{ id, attempt: 3, attemptsLeft: 29 }] })
      expect(await events().resend({ id: 'evt_none', atMs: MORNING_MS }, sampleAudit())).toBeUndefined()
    })

    test('are sent to the current address, and to none after the erasure of the organization', async () => {
      await revoke('org_1', 'grp_1')
      await setUrl('org_1', 'https://other.example/')
      expect((await claim(MORNING_MS)).due[1]).toMatchObject({ url: 'https://other.example/' })
      await store().erasures.eraseOrganization({ id: 'org_1', atMs: MORNING_MS, audit: sampleAudit() })
      expect((await claim(MORNING_MS + 100)).due[1]).toMatchObject({ organizationId: 'org_1', url: null })
    })

    test('each organization gets its share of a claim', async () => {
      await setUrl('org_2', URL)
      for (const number of [1, 2, 3]) await revoke('org_1', `grp_${number}`)
      await revoke('org_2', 'grp_9')
      const { due } = await claim(MORNING_MS, 3)
      expect(due.map(({ organizationId }) => organizationId)).toEqual(['operator', 'org_1', 'org_2'])
    })

    test('balance.low comes once below the threshold, and again only after a credit lifts the balance to it', async () => {
      await credit('ent_1', 3_000_000)
      const report = (atMs: number) => events().reportBalances({ refused: [], atMs })
      await report(MORNING_MS)
      expect(await listed('balance.low')).toEqual([])
      await store().organizations.update({ id: 'org_1', lowBalanceMicros: micros(5_000_000) }, sampleAudit())
      for (const ms of [1, 2, 3]) await report(MORNING_MS + ms)
      const first = { organization_id: 'org_1', balance_micros: 3_000_000, threshold_micros: 5_000_000 }
      expect(await listed('balance.low')).toEqual([
        { receiver: 'operator', ...first },
        { receiver: 'org_1', ...first },
      ])
      await credit('ent_2', 1_000_000)
      await report(MORNING_MS + 4)
      expect(await listed('balance.low')).toHaveLength(2)
      await credit('ent_3', 1_000_000)
      await report(MORNING_MS + 5)
      expect(await listed('balance.low')).toHaveLength(2)
      await credit('ent_4', -1)
      await report(MORNING_MS + 6)
      const all = await listed('balance.low')
      expect(all.map(({ balance_micros }) => balance_micros).toSorted()).toEqual([
        ...[3_000_000, 3_000_000, 4_999_999, 4_999_999],
      ])
    })

    test('balance.empty comes once for many refusals, and again after a credit', async () => {
      for (const ms of [1, 2]) await events().reportBalances({ refused: ['org_1'], atMs: MORNING_MS + ms })
      expect(await listed('balance.empty')).toEqual([
        { receiver: 'operator', organization_id: 'org_1', balance_micros: 0 },
        { receiver: 'org_1', organization_id: 'org_1', balance_micros: 0 },
      ])
      await credit('ent_1', 7)
      await events().reportBalances({ refused: ['org_1', 'org_2'], atMs: MORNING_MS + 3 })
      const reported = (await listed('balance.empty')).map((row) => `${row.receiver} ${row.balance_micros}`)
      expect(reported.toSorted()).toEqual(['operator 0', 'operator 0', 'operator 7', 'org_1 0', 'org_1 7'])
    })

    test('key.expiring comes once for each end of a key, 7 days before', async () => {
      await store().users.create(sampleUser(), sampleAudit())
      const expiresAtMs = MORNING_MS + 10 * DAY_MS
      await store().apiKeys.create(sampleApiKey({ expiresAtMs }), sampleAudit())
      const report = (atMs: number) =>
        events().reportExpiringKeys({ atMs, untilMs: atMs + 7 * DAY_MS, limit: 10 })
      await report(MORNING_MS + DAY_MS)
      expect(await listed('key.expiring')).toEqual([])
      for (const ms of [0, 1]) await report(MORNING_MS + 3 * DAY_MS + ms)
      expect(await listed('key.expiring')).toMatchObject([
        { receiver: 'operator', expires_at: new Date(expiresAtMs).toISOString() },
        { receiver: 'org_1' },
      ])
    })

    test('provider.down and provider.up come once for all replicas, also when the replica that saw the outage is gone', async () => {
      const report = (atMs: number, down: string[], up: string[]) =>
        events().reportOutages({ down, up, atMs, forgetAfterMs: 180_000 })
      await report(MORNING_MS, ['one'], [])
      await report(MORNING_MS + 5, ['one'], [])
      expect(await listed('provider.down')).toEqual([{ receiver: 'operator', provider: 'one' }])
      await report(MORNING_MS + 6, [], ['one'])
      await report(MORNING_MS + 7, [], ['one'])
      const since = new Date(MORNING_MS).toISOString()
      expect(await listed('provider.up')).toEqual([
        { receiver: 'operator', provider: 'one', down_since: since },
      ])
      await report(MORNING_MS + 8, ['two'], [])
      await report(MORNING_MS + 180_000, [], [])
      expect(await listed('provider.up')).toHaveLength(1)
      await report(MORNING_MS + 180_009, [], [])
      expect(await listed('provider.up')).toHaveLength(2)
    })

    test('budget.warning and budget.reached come once for a month and a budget', async () => {
      const month = '2026-07'
      const budget = { id: 'org_1', month, monthlyBudgetMicros: micros(100), warnPercent: 80 }
      await store().organizations.setBudget(budget, sampleAudit())
      await opened().runSql("update organizations set budget_used_micros = 85 where id = 'org_1'")
      for (const ms of [1, 2]) {
        await store().organizations.claimBudgetWarnings({ month, atMs: MORNING_MS + ms })
        await events().reportSpentBudgets({ month, atMs: MORNING_MS + ms })
      }
      const data = { organization_id: 'org_1', month, used_micros: 85, budget_micros: 100 }
      expect(await listed('budget.warning')).toEqual([
        { receiver: 'operator', ...data },
        { receiver: 'org_1', ...data },
      ])
      expect(await listed('budget.reached')).toEqual([])
      await opened().runSql("update organizations set budget_used_micros = 101 where id = 'org_1'")
      for (const ms of [3, 4]) await events().reportSpentBudgets({ month, atMs: MORNING_MS + ms })
      expect(await listed('budget.reached')).toMatchObject([
        { receiver: 'operator', used_micros: 101, budget_micros: 100 },
        { receiver: 'org_1' },
      ])
    })

    test('callback.given_up comes once, for both receivers, and task.set_aside for operators only', async () => {
      await createFunded(store(), { id: 'org_3', balance: 10_000 })
      await setUrl('org_3', URL)
      const task = { id: 'task_1', organizationId: 'org_3' }
      await beginAccepted(store(), task)
      await beginAccepted(store(), { ...task, id: 'task_2' })
      await store().tasks.setAside({ id: 'task_2', atMs: MORNING_MS })
      await store().tasks.setAside({ id: 'task_none', atMs: MORNING_MS })
      const aside = { organization_id: 'org_3', task_id: 'task_2' }
      expect(await listed('task.set_aside')).toEqual([{ receiver: 'operator', ...aside }])
      await store().tasks.move(sampleMove('succeeded', { id: 'task_1', atMs: MORNING_MS }))
      const lease = { nowMs: MORNING_MS, leaseUntilMs: MORNING_MS + 9, limit: 10 }
      const [due] = (await store().callbacks.claimDue(lease)).due
      const record = {
        ...{ callbackId: due?.id ?? '', fence: 1, nextAttemptAtMs: null },
        outcome: 'given-up',
        attempt: { taskId: 'task_1', attempt: 1, atMs: MORNING_MS, status: 410, error: null },
      } as const
      await store().callbacks.recordAttempt(record)
      await store().callbacks.recordAttempt(record)
      const data = { organization_id: 'org_3', task_id: 'task_1', callback_id: due?.id }
      expect(await listed('callback.given_up')).toEqual([
        { receiver: 'operator', ...data },
        { receiver: 'org_3', ...data },
      ])
    })

    test('each cause is stored once; ended events are dropped by age, pending events stay', async () => {
      const event = { type: 'event.test', organizationId: null, cause: 'a', data: { test: true } } as const
      expect(await events().add({ ...event, atMs: MORNING_MS })).toMatchObject({ organizationId: 'operator' })
      expect(await events().add({ ...event, atMs: MORNING_MS + 1 })).toBeUndefined()
      const old = { beforeMs: MORNING_MS + 9, limit: 10 }
      expect(await events().dropOld(old)).toBe(0)
      const [due] = (await claim(MORNING_MS)).due
      await events().recordAttempt({
        ...{ callbackId: due?.id ?? '', fence: 1, outcome: 'delivered', nextAttemptAtMs: null },
        attempt: { attempt: 1, atMs: MORNING_MS, status: 200, error: null },
      })
      expect(await events().dropOld(old)).toBe(1)
      expect(await events().page({ limit: 10 })).toEqual([])
    })
  })
}
