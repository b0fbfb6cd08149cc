import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import {
  createFunded,
  HOUR_MS,
  sampleCost,
  sampleGroup,
  sampleHold,
  sampleLease,
  sampleUsageRow,
  TODAY,
} from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'

const MONTH = TODAY.slice(0, 7)

export function describeRecountedBudgets(opened: GetOpened): void {
  const store = () => opened().store

  /** Charges 100 micros of text, whose row retention then drops. */
  async function spendAndDrop(): Promise<void> {
    const expiresAtMs = MORNING_MS + HOUR_MS
    await store().usage.lease(sampleLease([500], { expiresAtMs, month: MONTH }))
    await store().usage.write(sampleGroup({ rows: [sampleUsageRow({ cost: 100 })] }))
    const before = { rowsBeforeMs: MORNING_MS + HOUR_MS, hoursBeforeMs: 0, limit: 10 }
    expect(await store().usageReports.dropOld(before)).toBe(1)
  }

  describe('a monthly budget that is set after retention dropped a row of 100 micros', () => {
    beforeEach(() => createFunded(store(), { balance: 10_000 }))

    test('still counts them for an organization, and counts on', async () => {
      const set = (amount: number) =>
        store().organizations.setBudget(
          { id: 'org_1', month: MONTH, warnPercent: 80, monthlyBudgetMicros: micros(amount) },
          sampleAudit(),
        )
      await spendAndDrop()
      expect(await set(5_000)).toMatchObject({ usedMicros: 100 })
      await store().ledger.hold(sampleHold({ id: 'hold_1', amount: 600, day: TODAY, taskId: 'task_1' }))
      const entry = { holdId: 'hold_1', entryId: 'ent_1', cost: sampleCost(600), atMs: MORNING_MS }
      await store().ledger.settle(entry)
      const refund = { entryId: 'ent_r', taskId: 'task_1', note: null, atMs: MORNING_MS }
      await store().ledger.refund({ ...refund, amountMicros: micros(250) }, sampleAudit())
      expect(await set(2_000)).toMatchObject({ usedMicros: 450 })
    })

    test('still counts them for a key, before and after it had a budget', async () => {
      const set = (amount: number) =>
        store().apiKeys.setBudget(
          { id: 'key_1', month: MONTH, monthlyBudgetMicros: micros(amount) },
          sampleAudit(),
        )
      await store().users.create(sampleUser({ id: 'usr_1' }), sampleAudit())
      expect(await store().apiKeys.create(sampleApiKey({ id: 'key_1' }), sampleAudit())).toBe(true)
      await spendAndDrop()
      expect(await set(1_000)).toMatchObject({ usedMicros: 100 })
      await opened().runSql('delete from usage_rollup_day')
      expect(await set(2_000)).toMatchObject({ usedMicros: 100 })
    })
  })

  describe('the successor of a key with a monthly budget of 1,000 micros', () => {
    const rotate = (id: string, next: string) =>
      store().apiKeys.rotate(
        { id, endsAtMs: MORNING_MS, successor: sampleApiKey({ id: next, digest: next }), month: MONTH },
        sampleAudit(),
      )
    const charge = (keyId: string, cost: number) =>
      store().usage.write(
        sampleGroup({ id: keyId, rows: [sampleUsageRow({ id: `use_${keyId}`, keyId, cost })] }),
      )
    const set = (id: string, amount: number) =>
      store().apiKeys.setBudget({ id, month: MONTH, monthlyBudgetMicros: micros(amount) }, sampleAudit())
    const used = async (id: string, month = MONTH) =>
      (await store().apiKeys.findBudget({ id, month }))?.usedMicros
    const hold = (amount: number, taskId = 'task_1') =>
      store().ledger.hold(sampleHold({ id: taskId, amount, day: TODAY, taskId, keyId: 'key_2' }))
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await store().users.create(sampleUser({ id: 'usr_1' }), sampleAudit())
      await store().apiKeys.create(sampleApiKey({ monthlyBudgetMicros: micros(1_000) }), sampleAudit())
      await charge('key_1', 600)
    })
    afterEach(async () => {
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 5 })).toEqual([])
    })

    test('may spend the 400 micros that are left of its month, and 1,000 in the next', async () => {
      expect(await rotate('key_1', 'key_2')).toMatchObject({ monthlyBudgetMicros: 1_000 })
      expect([await used('key_1'), await used('key_2')]).toEqual([600, 600])
      expect(await hold(401)).toEqual({ kind: 'budget-exceeded' })
      expect(await hold(400)).toMatchObject({ kind: 'held' })
      expect(await used('key_2', '2023-12')).toBe(0)
    })

    test('may not spend the 300 micros that the old key holds', async () => {
      const held = { id: 'task_9', taskId: 'task_9', amount: 300, day: TODAY, keyId: 'key_1' }
      expect(await store().ledger.hold(sampleHold(held))).toMatchObject({ kind: 'held' })
      await rotate('key_1', 'key_2')
      expect(await used('key_2')).toBe(900)
      expect(await hold(101)).toEqual({ kind: 'budget-exceeded' })
      expect(await hold(100)).toMatchObject({ kind: 'held' })
    })

    test('still has used them after more charges, a new budget and a second rotation: 650, then 660 micros', async () => {
      await rotate('key_1', 'key_2')
      await charge('key_2', 50)
      expect(await set('key_2', 700)).toMatchObject({ usedMicros: 650 })
      await rotate('key_2', 'key_3')
      await charge('key_3', 10)
      expect(await used('key_3')).toBe(660)
      expect(await set('key_3', 800)).toMatchObject({ usedMicros: 660 })
      expect(await set('key_1', 800)).toMatchObject({ usedMicros: 600 })
    })

    test('has the budget of the old key, also one that was set at the last moment', async () => {
      await set('key_1', 610)
      await rotate('key_1', 'key_2')
      expect(await hold(11)).toEqual({ kind: 'budget-exceeded' })
      expect(await hold(10)).toMatchObject({ kind: 'held' })
    })
  })
}
