import { beforeEach, describe, expect, test } from 'vitest'
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
}
