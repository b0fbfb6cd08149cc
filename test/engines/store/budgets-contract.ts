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
import { MORNING_MS, sampleAudit } from './sample-rows.ts'

const MONTH = TODAY.slice(0, 7)
const NEXT_MONTH = '2023-12'

export function describeBudgets(opened: GetOpened): void {
  const store = () => opened().store
  const setBudget = (amount: number | null, warnPercent: number | null = 80, month = MONTH) =>
    store().organizations.setBudget(
      {
        ...{ id: 'org_1', month, warnPercent },
        monthlyBudgetMicros: amount === null ? null : micros(amount),
      },
      sampleAudit(),
    )
  const budget = async (month = MONTH) => {
    const found = await store().organizations.findBudget({ id: 'org_1', month })
    return { used: found?.usedMicros, held: found?.heldMicros }
  }
  const hold = (amount: number, id: string, day = TODAY) =>
    store().ledger.hold(sampleHold({ id, amount, day, taskId: `task_${id}` }))
  const settle = (holdId: string, cost: number) =>
    store().ledger.settle({ holdId, entryId: `ent_${holdId}`, cost: sampleCost(cost), atMs: MORNING_MS })
  const lease = (amounts: number[], month = MONTH) =>
    store().usage.lease(sampleLease(amounts, { expiresAtMs: MORNING_MS + HOUR_MS, month }))

  describe.each(['prepaid', 'postpaid'] as const)('a monthly budget of a %s organization', (billing) => {
    beforeEach(() => createFunded(store(), { billing, balance: 10_000 }))

    test('admits holds up to it, and says what is too much', async () => {
      await setBudget(1_000)
      expect(await hold(600, 'hold_1')).toMatchObject({ kind: 'held' })
      expect(await hold(401, 'hold_2')).toEqual({ kind: 'budget-exceeded' })
      expect(await hold(400, 'hold_3')).toMatchObject({ kind: 'held' })
      expect(await hold(1, 'hold_4')).toEqual({ kind: 'budget-exceeded' })
      expect(await budget()).toEqual({ used: 0, held: 1_000 })
    })

    test('counts what was charged, more or less than was held, and begins anew with the month', async () => {
      await setBudget(1_000)
      await hold(600, 'hold_1')
      await settle('hold_1', 700)
      expect(await budget()).toEqual({ used: 700, held: 0 })
      expect(await hold(301, 'hold_2')).toEqual({ kind: 'budget-exceeded' })
      await hold(300, 'hold_3')
      await settle('hold_3', 100)
      expect(await budget()).toEqual({ used: 800, held: 0 })
      expect(await budget(NEXT_MONTH)).toEqual({ used: 0, held: 0 })
      expect(await hold(1_000, 'hold_5', `${NEXT_MONTH}-01`)).toMatchObject({ kind: 'held' })
      await settle('hold_5', 1_000)
      expect(await budget(NEXT_MONTH)).toEqual({ used: 1_000, held: 0 })
    })

    test('lets a late charge of the month before count no more', async () => {
      await setBudget(1_000)
      await hold(100, 'hold_old')
      await hold(200, 'hold_new', `${NEXT_MONTH}-01`)
      await settle('hold_new', 200)
      await settle('hold_old', 100)
      expect(await budget(NEXT_MONTH)).toEqual({ used: 200, held: 0 })
    })

    test('bounds what replicas lease, and the reason of a refusal can be asked', async () => {
      await setBudget(1_000)
      expect(await lease([400, 100])).toBe(100)
      expect(await lease([4_000, 900])).toBe(900)
      expect(await lease([1])).toBeUndefined()
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual([])
      await setBudget(999)
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual(['org_1'])
      const question = { organizationId: 'org_1', amountMicros: micros(1), month: MONTH }
      expect(await store().usage.isBudgetSpent(question)).toBe(true)
      await setBudget(null, null)
      expect(await store().usage.isBudgetSpent(question)).toBe(false)
      expect(await lease([1])).toBe(1)
    })

    test('counts text that was used, and counts it again from the rows when it is set', async () => {
      await lease([500])
      await store().usage.write(sampleGroup({ rows: [sampleUsageRow({ cost: 123 })] }))
      expect(await budget()).toMatchObject({ used: 123 })
      await opened().runSql('update organizations set budget_used_micros = 7')
      expect(await setBudget(1_000)).toMatchObject({ usedMicros: 123, monthlyBudgetMicros: 1_000 })
    })

    test('ledger check finds a month that has counted 700 micros where 705 were charged', async () => {
      await hold(600, 'hold_1')
      await settle('hold_1', 600)
      await lease([500])
      await store().usage.write(sampleGroup({ rows: [sampleUsageRow({ cost: 105 })] }))
      const wrongMonth = async () => {
        const violations = await store().ledger.check({ nowMs: MORNING_MS, limit: 10 })
        return violations.filter(({ invariant }) => invariant === 15)
      }
      await setBudget(1_000)
      expect(await wrongMonth()).toEqual([])
      await opened().runSql('update organizations set budget_used_micros = 700')
      expect(await wrongMonth()).toEqual([
        {
          invariant: 15,
          subject: 'org_1',
          message: expect.stringContaining(
            `700 micros in ${MONTH}, the charges of that month less refunds are 705`,
          ),
        },
      ])
      await setBudget(null, null)
      expect(await wrongMonth()).toEqual([])
    })

    test('is lowered by a refund of this month', async () => {
      await setBudget(1_000)
      await hold(600, 'hold_1')
      await settle('hold_1', 600)
      const refund = { entryId: 'ent_r', taskId: 'task_hold_1', note: null, atMs: MORNING_MS }
      await store().ledger.refund({ ...refund, amountMicros: micros(250) }, sampleAudit())
      expect(await budget()).toEqual({ used: 350, held: 0 })
      expect(await setBudget(1_000)).toMatchObject({ usedMicros: 350 })
      expect(await hold(650, 'hold_2')).toMatchObject({ kind: 'held' })
    })
  })

  describe('the warning of a budget', () => {
    beforeEach(() => createFunded(store(), { billing: 'postpaid', balance: 0 }))
    const warnings = (month = MONTH) => store().organizations.claimBudgetWarnings({ month })

    test('comes once a month, at the threshold and not before', async () => {
      await setBudget(1_000, 80)
      await hold(799, 'hold_1')
      await settle('hold_1', 799)
      expect(await warnings()).toEqual([])
      await hold(1, 'hold_2')
      await settle('hold_2', 1)
      const warning = { organizationId: 'org_1', monthlyBudgetMicros: 1_000, usedMicros: 800 }
      expect(await warnings()).toEqual([warning])
      expect(await warnings()).toEqual([])
      await hold(900, 'hold_3', `${NEXT_MONTH}-01`)
      await settle('hold_3', 900)
      expect(await warnings(NEXT_MONTH)).toEqual([{ ...warning, usedMicros: 900 }])
    })

    test('does not come without a budget', async () => {
      await hold(900, 'hold_1')
      await settle('hold_1', 900)
      expect(await warnings()).toEqual([])
      expect(
        await store().organizations.setBudget(
          { id: 'org_9', month: MONTH, monthlyBudgetMicros: null, warnPercent: null },
          sampleAudit(),
        ),
      ).toBeUndefined()
    })
  })
}
