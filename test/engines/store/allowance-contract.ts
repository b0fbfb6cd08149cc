import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import { allMicros, createFunded, HOUR_MS, readMoney, sampleHold, sampleLease } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'

export function describeAllowances(opened: GetOpened): void {
  const usage = () => opened().store.usage
  const money = (id?: string) => readMoney(opened().store, id)
  const lease = (amounts: number[], part: { holdId?: string; organizationId?: string } = {}) =>
    usage().lease(sampleLease(amounts, part))
  const giveBack = (amount: number | 'all', holdId = 'hold_a') =>
    usage().giveBack({
      holdId,
      amountMicros: amount === 'all' ? amount : micros(amount),
      atMs: MORNING_MS + 5,
    })
  const allowance = async (id = 'hold_a') => {
    const [row] = await opened().runSql(
      `select amount_micros, state, expires_at_ms from holds where id = '${id}'`,
    )
    return row && [Number(row.amount_micros), row.state, Number(row.expires_at_ms) - MORNING_MS]
  }

  describe('allowances', () => {
    beforeEach(() => createFunded(opened().store, { balance: 1_000 }))
    afterEach(async () => {
      expect(await opened().store.ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    describe('an allowance', () => {
      test('is not leased without amounts, to an unknown organization, or beyond the available money', async () => {
        expect(await lease([])).toBeUndefined()
        expect(await lease([5], { organizationId: 'org_9' })).toBeUndefined()
        expect(await lease([1_001])).toBeUndefined()
        expect(await allowance()).toBeUndefined()
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
      })

      test.each([
        [[250, 60, 10], 250],
        [[251, 60, 10], 60],
        [[251, 10], 10],
        [[251, 1_000], 1_000],
        [[Number.MAX_SAFE_INTEGER, 10], 10],
      ])('of %j out of 1000 is %i', async (amounts, given) => {
        expect(await lease(amounts)).toBe(given)
        expect(await allowance()).toEqual([given, 'open', HOUR_MS])
        expect(await money()).toEqual({ balance: 1_000, held: given })
      })

      test('shrinks with the available money, until even the smallest amount is refused', async () => {
        const given: (number | undefined)[] = []
        for (let number = 0; number < 18; number += 1) {
          given.push(await lease([100, 50, 20], { holdId: `hold_${number}` }))
        }
        expect(given).toEqual([...Array(7).fill(100), ...Array(3).fill(50), ...Array(7).fill(20), undefined])
        expect(await money()).toEqual({ balance: 1_000, held: 990 })
      })

      test('postpaid is the largest amount', async () => {
        await createFunded(opened().store, { id: 'org_2', billing: 'postpaid', balance: 0 })
        expect(await lease([5_000, 1], { organizationId: 'org_2' })).toBe(5_000)
        expect(await money('org_2')).toEqual({ balance: 0, held: 5_000 })
      })

      test('grows while it is open, and its deadline moves', async () => {
        await lease([100])
        const again = {
          holdId: 'hold_a',
          organizationId: 'org_1',
          amountsMicros: allMicros(30),
          nowMs: MORNING_MS + 1,
        }
        expect(await usage().lease({ ...again, expiresAtMs: MORNING_MS + 2 * HOUR_MS })).toBe(30)
        expect(await allowance()).toEqual([130, 'open', 2 * HOUR_MS])
        expect(await money()).toEqual({ balance: 1_000, held: 130 })
      })

      test('stays unchanged when there is nothing to add', async () => {
        await lease([1_000])
        const again = { holdId: 'hold_a', organizationId: 'org_1', amountsMicros: allMicros(1) }
        expect(
          await usage().lease({ ...again, nowMs: MORNING_MS, expiresAtMs: MORNING_MS + 2 * HOUR_MS }),
        ).toBeUndefined()
        expect(await allowance()).toEqual([1_000, 'open', HOUR_MS])
      })

      test('that has ended gets no more money', async () => {
        await lease([100])
        await giveBack('all')
        expect(await lease([100])).toBeUndefined()
        expect(await allowance()).toEqual([100, 'released', HOUR_MS])
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
      })

      test('is not confused with the hold of a task, nor used by another organization', async () => {
        await createFunded(opened().store, { id: 'org_2', balance: 500 })
        await opened().store.ledger.hold(sampleHold())
        await lease([100])
        expect(await lease([5], { holdId: 'hold_1' })).toBeUndefined()
        expect(await lease([5], { organizationId: 'org_2' })).toBeUndefined()
        expect(await giveBack('all', 'hold_1')).toBe(false)
        expect(await usage().renew({ holdIds: ['hold_1'], expiresAtMs: MORNING_MS })).toEqual([])
        expect(await money()).toEqual({ balance: 1_000, held: 200 })
      })

      test('is renewed while it is open', async () => {
        await lease([100])
        await lease([100], { holdId: 'hold_b' })
        await lease([100], { holdId: 'hold_c' })
        await giveBack('all', 'hold_b')
        const renewed = await usage().renew({
          holdIds: ['hold_c', 'hold_9', 'hold_b', 'hold_a', 'hold_a'],
          expiresAtMs: MORNING_MS + 3 * HOUR_MS,
        })
        expect(renewed.toSorted()).toEqual(['hold_a', 'hold_c'])
        expect(await allowance()).toEqual([100, 'open', 3 * HOUR_MS])
        expect(await allowance('hold_b')).toEqual([100, 'released', HOUR_MS])
        expect(await usage().renew({ holdIds: [], expiresAtMs: 0 })).toEqual([])
      })

      test('returns a part, never more than it holds, and stays open', async () => {
        await lease([100])
        expect(await giveBack(30)).toBe(true)
        expect(await allowance()).toEqual([70, 'open', HOUR_MS])
        expect(await giveBack(71)).toBe(true)
        expect(await allowance()).toEqual([0, 'open', HOUR_MS])
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await lease([40])).toBe(40)
      })

      test('returns all of it, once', async () => {
        await lease([100])
        expect(await giveBack('all')).toBe(true)
        expect(await giveBack('all')).toBe(false)
        expect(await giveBack(1)).toBe(false)
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
      })
    })
  })
}
