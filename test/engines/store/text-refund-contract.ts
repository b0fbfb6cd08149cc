import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import {
  createFunded,
  readMoney,
  sampleGroup,
  sampleHold,
  sampleLease,
  sampleUsageRow,
  TODAY,
} from './sample-money.ts'
import { MORNING_MS, sampleAudit } from './sample-rows.ts'

export function describeTextRefunds(opened: GetOpened): void {
  const { ledger, usage } = { ledger: () => opened().store.ledger, usage: () => opened().store.usage }
  const balance = async () => (await readMoney(opened().store)).balance
  const refund = (taskId: string, amount?: number, entryId = 'ent_refund') =>
    ledger().refund(
      {
        ...{ entryId, taskId, note: 'sorry', atMs: MORNING_MS + 9 },
        amountMicros: amount === undefined ? undefined : micros(amount),
      },
      sampleAudit({ action: 'ledger.refund', detail: { note: 'sorry' } }),
    )
  const given = (amount: number, sum: number, isRepeat = false) => ({
    ...{ kind: 'refunded', organizationId: 'org_1', amountMicros: amount, refundedMicros: sum, isRepeat },
  })

  describe('a refund of a text request', () => {
    beforeEach(async () => {
      await createFunded(opened().store, { balance: 1_000 })
      await usage().lease(sampleLease([500]))
      const rows = [
        sampleUsageRow({ cost: 100, requestId: 'req_1' }),
        sampleUsageRow({ id: 'use_2', cost: 40, requestId: 'req_2' }),
      ]
      await usage().write(sampleGroup({ rows }))
      expect(await balance()).toBe(860)
    })
    afterEach(async () => {
      expect(await ledger().check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    test('returns all of it once, and lowers the day and the month', async () => {
      expect(await refund('req_1')).toEqual(given(100, 100))
      expect(await balance()).toBe(960)
      expect(await ledger().readDay({ userId: 'usr_1', day: TODAY })).toMatchObject({ usedMicros: 40 })
      const month = TODAY.slice(0, 7)
      expect(await opened().store.organizations.findBudget({ id: 'org_1', month })).toMatchObject({
        ...{ usedMicros: 40 },
      })
      expect(await refund('req_1', undefined, 'ent_again')).toEqual({ kind: 'nothing-left' })
      expect(await ledger().listRefundMoves({ sinceMs: 0, limit: 9 })).toMatchObject([
        { entryId: 'ent_refund', userId: 'usr_1', day: TODAY, deltaMicros: -100 },
      ])
    })

    test('may come in parts, together at most the charge, also by the id of its row', async () => {
      expect(await refund('req_1', 60, 'ent_a')).toEqual(given(60, 60))
      expect(await refund('use_1', 41, 'ent_b')).toEqual({ kind: 'too-much', leftMicros: 40 })
      expect(await refund('use_1', 40, 'ent_c')).toEqual(given(40, 100))
      expect(await refund('req_2', 41, 'ent_d')).toEqual({ kind: 'too-much', leftMicros: 40 })
      expect(await balance()).toBe(960)
    })

    test('repeated counts once; the same entry for another request is refused', async () => {
      await refund('req_1', 30)
      expect(await refund('req_1', 30)).toEqual(given(30, 30, true))
      await expect(refund('req_2', 30)).rejects.toMatchObject({ code: 'invalid_parameter' })
      expect(await balance()).toBe(890)
    })

    test('of an unknown request has no effect', async () => {
      expect(await refund('req_9')).toEqual({ kind: 'nothing-left' })
    })

    test('of two at the same time is never more than the charge', async () => {
      const ends = await Promise.all([refund('req_1', 70, 'ent_a'), refund('use_1', 70, 'ent_b')])
      expect(ends.map(({ kind }) => kind).toSorted()).toEqual(['refunded', 'too-much'])
      expect(await balance()).toBe(930)
    })
  })

  describe.each(['prepaid', 'postpaid'] as const)('credit below zero, %s', (billing) => {
    const take = (amount: number) =>
      ledger().addCredit(
        {
          ...{ entryId: 'ent_take', organizationId: 'org_1', note: 'paid twice', atMs: MORNING_MS },
          amountMicros: micros(-amount),
        },
        sampleAudit({ action: 'credit.add' }),
      )
    beforeEach(async () => {
      await createFunded(opened().store, { billing, balance: 1_000 })
      await ledger().hold(sampleHold({ amount: 300 }))
    })
    afterEach(async () => {
      expect(await ledger().check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    test('can remove money that is not held', async () => {
      expect(await take(700)).toMatchObject({ balanceMicros: 300, heldMicros: 300 })
    })

    test('can remove one micro more only from a postpaid organization', async () => {
      if (billing === 'postpaid') {
        expect(await take(1_701)).toMatchObject({ balanceMicros: -701 })
        return
      }
      await expect(take(701)).rejects.toMatchObject({
        code: 'invalid_parameter',
        message: expect.stringContaining('At most 700 micros'),
      })
      expect(await balance()).toBe(1_000)
    })
  })
}
