import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import {
  createFunded,
  HOUR_MS,
  readMoney,
  sampleCost,
  sampleGroup,
  sampleHold,
  sampleLease,
  sampleUsageRow,
  TODAY,
} from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'

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

    test('admits holds up to its amount, and refuses others', async () => {
      await setBudget(1_000)
      expect(await hold(600, 'hold_1')).toMatchObject({ kind: 'held' })
      expect(await hold(401, 'hold_2')).toEqual({ kind: 'budget-exceeded' })
      expect(await hold(400, 'hold_3')).toMatchObject({ kind: 'held' })
      expect(await hold(1, 'hold_4')).toEqual({ kind: 'budget-exceeded' })
      expect(await budget()).toEqual({ used: 0, held: 1_000 })
    })

    test('counts the charge instead of the hold, and starts again each month', async () => {
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

    test('of 1,000 micros is not spent again by a replica with a clock in the previous month', async () => {
      await setBudget(1_000)
      await hold(600, 'hold_1')
      await settle('hold_1', 600)
      await hold(200, 'hold_new', `${NEXT_MONTH}-01`)
      await settle('hold_new', 200)
      expect(await hold(300, 'hold_2')).toEqual({ kind: 'budget-exceeded' })
      expect(await lease([300])).toBeUndefined()
      expect(await lease([300], NEXT_MONTH)).toBe(300)
    })

    test('does not count a late charge of the month before', async () => {
      await setBudget(1_000)
      await hold(100, 'hold_old')
      await hold(200, 'hold_new', `${NEXT_MONTH}-01`)
      await settle('hold_new', 200)
      await settle('hold_old', 100)
      expect(await budget(NEXT_MONTH)).toEqual({ used: 200, held: 0 })
    })

    test('limits the leases of replicas, and the reason of a refusal can be read', async () => {
      await setBudget(1_000)
      expect(await lease([400, 100])).toBe(100)
      expect(await lease([4_000, 900])).toBe(900)
      expect(await lease([1])).toBeUndefined()
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual([])
      await setBudget(999)
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual(['org_1'])
      const question = { organizationId: 'org_1', amountMicros: micros(1), month: MONTH }
      expect(await store().usage.whyRefused(question)).toEqual({ kind: 'budget-exceeded' })
      await setBudget(null, null)
      expect(await store().usage.whyRefused(question)).toEqual({ kind: 'funds-in-use' })
      expect(await lease([1])).toBe(1)
    })

    test('counts used text, and counts the rows again when a budget is set', async () => {
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

  describe('a monthly budget of a key', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await store().users.create(sampleUser(), sampleAudit())
      for (const [id, budget] of [
        ['key_1', 1_000],
        ['key_2', null],
      ] as const) {
        const monthlyBudgetMicros = budget === null ? null : micros(budget)
        await store().apiKeys.create(sampleApiKey({ id, digest: id, monthlyBudgetMicros }), sampleAudit())
      }
    })
    const setKeyBudget = (amount: number | null, month = MONTH) => {
      const monthlyBudgetMicros = amount === null ? null : micros(amount)
      return store().apiKeys.setBudget({ id: 'key_1', month, monthlyBudgetMicros }, sampleAudit())
    }
    const keyBudget = async (month = MONTH) => {
      const found = await store().apiKeys.findBudget({ id: 'key_1', month })
      return { used: found?.usedMicros, held: found?.heldMicros }
    }
    const holdFor = (keyId: string, amount: number, id: string, day = TODAY) =>
      store().ledger.hold(sampleHold({ id, amount, day, keyId, taskId: `task_${id}` }))
    const isSound = async () =>
      expect(await store().ledger.check({ nowMs: MORNING_MS, limit: 5 })).toEqual([])

    test('admits holds of the key up to 1,000 micros and holds of other keys beyond, and starts again each month', async () => {
      expect(await holdFor('key_1', 600, 'hold_1')).toMatchObject({ kind: 'held' })
      expect(await holdFor('key_1', 401, 'hold_2')).toEqual({ kind: 'budget-exceeded' })
      expect(await holdFor('key_2', 401, 'hold_3')).toMatchObject({ kind: 'held' })
      expect(await holdFor('key_1', 400, 'hold_4')).toMatchObject({ kind: 'held' })
      expect(await keyBudget()).toEqual({ used: 0, held: 1_000 })
      await settle('hold_1', 700)
      await settle('hold_4', 200)
      expect(await keyBudget()).toEqual({ used: 900, held: 0 })
      expect(await holdFor('key_1', 101, 'hold_5')).toEqual({ kind: 'budget-exceeded' })
      expect(await keyBudget(NEXT_MONTH)).toEqual({ used: 0, held: 0 })
      expect(await holdFor('key_1', 1_000, 'hold_6', `${NEXT_MONTH}-01`)).toMatchObject({ kind: 'held' })
      await store().ledger.release({ holdId: 'hold_6', atMs: MORNING_MS })
      expect(await keyBudget()).toEqual({ used: 900, held: 0 })
      await holdFor('key_1', 50, 'hold_7', `${NEXT_MONTH}-01`)
      await settle('hold_7', 50)
      expect(await holdFor('key_1', 50, 'hold_8')).toEqual({ kind: 'budget-exceeded' })
    })

    test('reports an insufficient balance if the balance is too small', async () => {
      await setKeyBudget(100_000)
      expect(await holdFor('key_1', 10_001, 'hold_1')).toEqual({
        kind: 'insufficient-balance',
        availableMicros: 10_000,
      })
    })

    test('limits the leases of replicas for the key, and the reason of a refusal can be read', async () => {
      const leaseFor = (amounts: number[]) =>
        store().usage.lease(sampleLease(amounts, { keyId: 'key_1', month: MONTH }))
      expect(await leaseFor([400, 100])).toBe(100)
      expect(await leaseFor([4_000, 900])).toBe(900)
      expect(await leaseFor([1])).toBeUndefined()
      const question = { organizationId: 'org_1', amountMicros: micros(1), month: MONTH }
      const { whyRefused } = store().usage
      expect(await whyRefused({ ...question, keyId: 'key_1' })).toEqual({ kind: 'budget-exceeded' })
      expect(await whyRefused(question)).toEqual({ kind: 'funds-in-use' })
      expect(await whyRefused({ ...question, organizationId: 'org_none' })).toBeUndefined()
      const { balance, held } = await readMoney(store())
      expect(await whyRefused({ ...question, amountMicros: micros(balance - held + 1) })).toEqual({
        kind: 'insufficient-balance',
        availableMicros: balance - held,
      })
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual([])
      await setKeyBudget(999)
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual(['org_1'])
      await setKeyBudget(null)
      expect(await store().organizations.listOverBudget({ month: MONTH })).toEqual([])
    })

    test('counts all text of the key, however it was paid, and counts the rows again when a budget is set', async () => {
      await lease([500])
      await store().usage.lease(sampleLease([300], { holdId: 'hold_k', keyId: 'key_1', month: MONTH }))
      const rows = [
        sampleUsageRow({ id: 'use_1', cost: 100 }),
        sampleUsageRow({ id: 'use_2', cost: 350 }),
        sampleUsageRow({ id: 'use_3', cost: 40, keyId: 'key_2' }),
      ]
      const written = await store().usage.write(sampleGroup({ rows, keyAllowances: { use_2: 'hold_k' } }))
      expect(written).toMatchObject({
        charges: [{ fromAllowanceMicros: 440, beyondMicros: 50, lossMicros: 0 }],
        paidMicros: { hold_a: 140, hold_k: 300 },
      })
      expect(await keyBudget()).toEqual({ used: 450, held: 0 })
      await isSound()
      await opened().runSql("update api_keys set budget_used_micros = 7 where id = 'key_1'")
      const violations = await store().ledger.check({ nowMs: MORNING_MS, limit: 5 })
      expect(violations).toMatchObject([
        { invariant: 15, subject: 'key_1', message: expect.stringContaining('7 micros') },
      ])
      expect(await setKeyBudget(1_000)).toMatchObject({ usedMicros: 450, digest: 'key_1' })
      await isSound()
    })

    test('is lowered by refunds of this month', async () => {
      await lease([500])
      await store().usage.write(sampleGroup({ rows: [sampleUsageRow({ cost: 100 })] }))
      const refund = { entryId: 'ent_r', taskId: 'use_1', note: null, atMs: MORNING_MS }
      await store().ledger.refund(
        { ...refund, amountMicros: micros(25) },
        sampleAudit({ action: 'ledger.refund' }),
      )
      expect(await keyBudget()).toEqual({ used: 75, held: 0 })
    })

    test('of an unknown or revoked key cannot be set', async () => {
      const change = { id: 'key_9', month: MONTH, monthlyBudgetMicros: micros(1) }
      expect(await store().apiKeys.setBudget(change, sampleAudit())).toBeUndefined()
      expect(await store().apiKeys.findBudget({ id: 'key_9', month: MONTH })).toBeUndefined()
      await store().apiKeys.revoke({ id: 'key_1', revokedAtMs: 1 }, sampleAudit())
      expect(await setKeyBudget(5)).toBeUndefined()
    })
  })

  describe('the warning of a budget', () => {
    beforeEach(() => createFunded(store(), { billing: 'postpaid', balance: 0 }))
    const warnings = (month = MONTH) => store().organizations.claimBudgetWarnings({ month, atMs: MORNING_MS })

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
