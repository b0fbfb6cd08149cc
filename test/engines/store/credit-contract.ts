import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { GetOpened } from './opened-store.ts'
import { addCredit, createFunded, readMoney, sampleCost, sampleHold, TODAY } from './sample-money.ts'
import { MORNING_MS, sampleAudit } from './sample-rows.ts'

interface Part {
  entryId?: string
  taskId?: string
  amount?: number
}

function given({ amount, sum, isRepeat = false }: { amount: number; sum: number; isRepeat?: boolean }) {
  return { kind: 'refunded', organizationId: 'org_1', amountMicros: amount, refundedMicros: sum, isRepeat }
}

export function describeCredit(opened: GetOpened): void {
  const ledger = () => opened().store.ledger
  const money = () => readMoney(opened().store)
  const dayOf = () => ledger().readDay({ userId: 'usr_1', day: TODAY })
  const settle = (cost: number) =>
    ledger().settle({ holdId: 'hold_1', entryId: 'ent_1', cost: sampleCost(cost), atMs: MORNING_MS + 5 })
  const refund = ({ entryId = 'ent_refund', taskId = 'task_1', amount }: Part = {}) =>
    ledger().refund(
      {
        entryId,
        taskId,
        amountMicros: amount === undefined ? undefined : micros(amount),
        note: 'sorry',
        atMs: MORNING_MS + 9,
      },
      sampleAudit({ action: 'ledger.refund', detail: { note: 'sorry' } }),
    )

  describe('money given', () => {
    beforeEach(() => createFunded(opened().store, { balance: 1_000 }))
    afterEach(async () => {
      expect(await ledger().check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    describe('credit', () => {
      const credit = { entryId: 'ent_9', organizationId: 'org_1', note: 'invoice 7', atMs: MORNING_MS }

      test('for an unknown organization is not added', async () => {
        const given = { ...credit, organizationId: 'org_9', amountMicros: micros(5) }
        expect(await ledger().addCredit(given, sampleAudit({ id: 'aud_9' }))).toBeUndefined()
        expect(await opened().runSql("select id from audit_events where id = 'aud_9'")).toEqual([])
      })

      test('raises the balance, with an entry and an audit row', async () => {
        const given = { ...credit, amountMicros: micros(25) }
        expect(await ledger().addCredit(given, sampleAudit({ id: 'aud_9' }))).toMatchObject({
          id: 'org_1',
          balanceMicros: 1_025,
          heldMicros: 0,
        })
        const [entry] = await opened().runSql("select kind, note from ledger_entries where id = 'ent_9'")
        expect(entry).toEqual({ kind: 'credit', note: 'invoice 7' })
        expect(await opened().runSql("select id from audit_events where id = 'aud_9'")).toHaveLength(1)
      })

      test('beyond the largest balance is refused and changes nothing', async () => {
        const given = { ...credit, amountMicros: micros(Number.MAX_SAFE_INTEGER - 999) }
        await expect(ledger().addCredit(given, sampleAudit({ id: 'aud_9' }))).rejects.toMatchObject({
          code: 'invalid_parameter',
          message: expect.stringContaining('The balance of org_1 would be more than can be counted'),
        })
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        const most = { ...given, amountMicros: micros(Number.MAX_SAFE_INTEGER - 1_000) }
        expect(await ledger().addCredit(most, sampleAudit())).toMatchObject({
          balanceMicros: Number.MAX_SAFE_INTEGER,
        })
      })

      test('repeated under the same id counts once, even at the same time', async () => {
        const given = { ...credit, amountMicros: micros(25) }
        const add = (id: string) => ledger().addCredit(given, sampleAudit({ id }))
        const answers = await Promise.all([add('aud_7'), add('aud_8'), add('aud_9')])
        expect(answers.map((answer) => answer?.isRepeat).toSorted()).toEqual([false, true, true])
        expect(await add('aud_6')).toMatchObject({ balanceMicros: 1_025, isRepeat: true })
        const audits = await opened().runSql("select id from audit_events where id like 'aud_%'")
        expect(
          audits.filter(({ id }) => ['aud_6', 'aud_7', 'aud_8', 'aud_9'].includes(`${id}`)),
        ).toHaveLength(1)
      })

      test.each([
        ['another amount', { amountMicros: micros(26) }],
        ['another organization', { organizationId: 'org_2', amountMicros: micros(25) }],
      ])('under the id of %s is refused', async (_, part) => {
        await createFunded(opened().store, { id: 'org_2', balance: 0 })
        await ledger().addCredit({ ...credit, amountMicros: micros(25) }, sampleAudit())
        await expect(ledger().addCredit({ ...credit, ...part }, sampleAudit())).rejects.toMatchObject({
          code: 'invalid_parameter',
          message: expect.stringContaining('The entry ent_9 exists already'),
        })
        expect(await money()).toEqual({ balance: 1_025, held: 0 })
      })
    })

    describe('refunds', () => {
      beforeEach(() => ledger().hold(sampleHold({ taskId: 'task_1' })))

      test('of tasks without a charge have no effect', async () => {
        expect(await refund({ entryId: 'ent_r', taskId: 'task_9' })).toEqual({ kind: 'nothing-left' })
        expect(await refund()).toEqual({ kind: 'nothing-left' })
        await settle(0)
        expect(await refund()).toEqual({ kind: 'nothing-left' })
      })

      test('return the charge once, and lower the day', async () => {
        await settle(60)
        expect(await dayOf()).toEqual({ usedMicros: 60, version: 2 })
        expect(await refund()).toEqual(given({ amount: 60, sum: 60 }))
        expect(await refund()).toEqual(given({ amount: 60, sum: 60, isRepeat: true }))
        expect(await refund({ entryId: 'ent_refund_2' })).toEqual({ kind: 'nothing-left' })
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await dayOf()).toEqual({ usedMicros: 0, version: 3 })
      })

      test('may come in parts, together at most the charge', async () => {
        await settle(60)
        expect(await refund({ entryId: 'ent_r1', amount: 15 })).toEqual(given({ amount: 15, sum: 15 }))
        expect(await money()).toEqual({ balance: 955, held: 0 })
        expect(await dayOf()).toEqual({ usedMicros: 45, version: 3 })
        const more = { entryId: 'ent_r2', amount: 46 }
        expect(await refund(more)).toEqual({ kind: 'too-much', leftMicros: 45 })
        expect(await refund({ entryId: 'ent_r2', amount: 20 })).toEqual(given({ amount: 20, sum: 35 }))
        expect(await refund({ entryId: 'ent_r3' })).toEqual(given({ amount: 25, sum: 60 }))
        expect(await refund({ entryId: 'ent_r4', amount: 1 })).toEqual({ kind: 'nothing-left' })
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await dayOf()).toEqual({ usedMicros: 0, version: 5 })
      })

      test('of 10 each at the same time return together at most the charge', async () => {
        await settle(60)
        const asked = Array.from({ length: 12 }, (_, index) =>
          refund({ entryId: `ent_r${index}`, amount: 10 }),
        )
        const kinds = (await Promise.all(asked)).map(({ kind }) => kind)
        expect(kinds.filter((kind) => kind === 'refunded')).toHaveLength(6)
        expect(await money()).toEqual({ balance: 1_000, held: 0 })
        expect(await dayOf()).toMatchObject({ usedMicros: 0 })
      })

      test('of the same entry at the same time count once', async () => {
        await settle(60)
        const answers = await Promise.all([1, 2, 3].map(() => refund({ amount: 10 })))
        expect(answers.toSorted((one) => ('isRepeat' in one && one.isRepeat ? 1 : -1))).toEqual([
          given({ amount: 10, sum: 10 }),
          given({ amount: 10, sum: 10, isRepeat: true }),
          given({ amount: 10, sum: 10, isRepeat: true }),
        ])
        expect(await money()).toEqual({ balance: 950, held: 0 })
      })

      test('under the id of another entry are refused', async () => {
        await settle(60)
        await refund({ amount: 10 })
        for (const part of [{ amount: 11 }, { entryId: 'ent_1' }]) {
          await expect(refund(part)).rejects.toMatchObject({
            code: 'invalid_parameter',
            message: expect.stringContaining('exists already, for something else'),
          })
        }
        expect(await money()).toEqual({ balance: 950, held: 0 })
      })

      test('are listed by their time, with their effect on the day', async () => {
        await settle(60)
        await refund({ entryId: 'ent_r1', amount: 15 })
        const list = (sinceMs: number) => ledger().listRefundMoves({ sinceMs, limit: 5 })
        expect(await list(MORNING_MS + 9)).toEqual([
          { entryId: 'ent_r1', userId: 'usr_1', day: TODAY, deltaMicros: -15, version: 3 },
        ])
        expect(await list(MORNING_MS + 10)).toEqual([])
      })

      test('return only the paid part', async () => {
        await settle(1_500)
        expect(await refund()).toEqual(given({ amount: 1_000, sum: 1_000 }))
        expect(await dayOf()).toMatchObject({ usedMicros: 500 })
        const audits = await opened().store.audit.list({ limit: 100 })
        expect(audits.filter(({ action }) => action === 'ledger.refund')).toMatchObject([
          { organizationId: 'org_1', detail: { amount_micros: 1_000, note: 'sorry' } },
        ])
        await addCredit(opened().store, { amount: 1 })
        expect(await money()).toEqual({ balance: 1_001, held: 0 })
      })
    })
  })
}
