import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
import { MORNING_MS } from './sample-rows.ts'

export function describeUsage(opened: GetOpened): void {
  const usage = () => opened().store.usage
  const money = (id?: string) => readMoney(opened().store, id)
  const lease = (amounts: number[], part: { holdId?: string; organizationId?: string } = {}) =>
    usage().lease(sampleLease(amounts, part))
  const dayOf = (userId = 'usr_1') => opened().store.ledger.readDay({ userId, day: TODAY })

  describe('usage', () => {
    beforeEach(() => createFunded(opened().store, { balance: 1_000 }))
    afterEach(async () => {
      expect(await opened().store.ledger.check({ nowMs: MORNING_MS, limit: 10 })).toEqual([])
    })

    describe('a group', () => {
      const chargeOf = (from: number, beyond: number, loss: number, organizationId = 'org_1') => ({
        organizationId,
        fromAllowanceMicros: from,
        beyondMicros: beyond,
        lossMicros: loss,
      })

      test('without rows has no effect', async () => {
        expect(await usage().write(sampleGroup({ rows: [] }))).toEqual({ days: [], charges: [] })
      })

      test('skips an erased organization, and writes the others', async () => {
        const rows = [
          sampleUsageRow(),
          sampleUsageRow({ id: 'use_2', organizationId: 'org_9', userId: 'usr_9' }),
        ]
        const { charges, days } = await usage().write(sampleGroup({ rows }))
        expect(charges).toEqual([chargeOf(0, 10, 0)])
        expect(days.map(({ userId }) => userId)).toEqual(['usr_1'])
        expect(
          await usage().write(sampleGroup({ id: 'grp_2', rows: rows.filter(({ id }) => id === 'use_2') })),
        ).toEqual({
          days: [],
          charges: [],
        })
      })

      test.each([
        [40, chargeOf(40, 0, 0), { balance: 960, held: 60 }],
        [100, chargeOf(100, 0, 0), { balance: 900, held: 0 }],
        [250, chargeOf(100, 150, 0), { balance: 750, held: 0 }],
        [1_000, chargeOf(100, 900, 0), { balance: 0, held: 0 }],
        [1_001, chargeOf(100, 900, 1), { balance: 0, held: 0 }],
        [0, chargeOf(0, 0, 0), { balance: 1_000, held: 100 }],
      ])('that costs %i is paid from an allowance of 100', async (cost, charge, left) => {
        await lease([100])
        const written = await usage().write(sampleGroup({ rows: [sampleUsageRow({ cost })] }))
        expect(written).toEqual({
          days: [{ userId: 'usr_1', day: TODAY, deltaMicros: cost, version: 1 }],
          charges: [charge],
        })
        expect(await money()).toEqual(left)
        expect(await dayOf()).toEqual({ usedMicros: cost, version: 1 })
        const [entry] = await opened().runSql(
          "select id, kind, loss_micros from ledger_entries where kind = 'usage'",
        )
        expect(entry).toMatchObject({ id: 'grp_1:org_1' })
        expect(Number(entry?.loss_micros)).toBe(charge.lossMicros)
      })

      test('never spends money that is held for others', async () => {
        await opened().store.ledger.hold(sampleHold({ amount: 700 }))
        await lease([100])
        expect((await usage().write(sampleGroup({ rows: [sampleUsageRow({ cost: 500 })] }))).charges).toEqual(
          [chargeOf(100, 200, 200)],
        )
        expect(await money()).toEqual({ balance: 700, held: 700 })
      })

      test.each(['ended', 'unnamed', 'foreign'])(
        'whose allowance is %s is paid from the balance',
        async (kind) => {
          await createFunded(opened().store, { id: 'org_2', balance: 500 })
          await lease([100])
          await lease([100], { holdId: 'hold_b', organizationId: 'org_2' })
          if (kind === 'ended')
            await usage().giveBack({ holdId: 'hold_a', amountMicros: 'all', atMs: MORNING_MS })
          const allowances = kind === 'foreign' ? { org_1: 'hold_b' } : { org_1: 'hold_a' }
          const written = await usage().write(
            sampleGroup({ allowances: kind === 'unnamed' ? {} : allowances }),
          )
          expect(written.charges).toEqual([chargeOf(0, 10, 0)])
          expect(await money('org_2')).toEqual({ balance: 500, held: 100 })
        },
      )

      test('of a postpaid organization is paid in full, below zero', async () => {
        await createFunded(opened().store, { id: 'org_2', billing: 'postpaid', balance: 0 })
        await lease([100], { organizationId: 'org_2' })
        const rows = [sampleUsageRow({ organizationId: 'org_2', cost: 5_000 })]
        const written = await usage().write(sampleGroup({ rows, allowances: { org_2: 'hold_a' } }))
        expect(written.charges).toEqual([chargeOf(100, 4_900, 0, 'org_2')])
        expect(await money('org_2')).toEqual({ balance: -5_000, held: 0 })
      })

      test('written twice counts once, even at the same time', async () => {
        await lease([100])
        const group = sampleGroup({ rows: [sampleUsageRow(), sampleUsageRow({ id: 'use_2', cost: 25 })] })
        const answers = await Promise.all([usage().write(group), usage().write(group)])
        expect(answers.filter(({ charges }) => charges.length > 0)).toHaveLength(1)
        expect(await usage().write(group)).toEqual({ days: [], charges: [] })
        expect(await money()).toEqual({ balance: 965, held: 65 })
        expect(await dayOf()).toEqual({ usedMicros: 35, version: 1 })
      })

      test('with an existing entry is refused whole: no balance moves without its entry', async () => {
        await lease([100])
        await opened().runSql(`
          insert into ledger_entries (id, organization_id, kind, amount_micros, created_at_ms)
          values ('grp_1:org_1', 'org_1', 'usage', 0, 1)`)
        await expect(usage().write(sampleGroup())).rejects.toThrow()
        expect(await money()).toEqual({ balance: 1_000, held: 100 })
        expect(await opened().runSql('select id from text_usage')).toEqual([])
        expect(await dayOf()).toEqual({ usedMicros: 0, version: 0 })
      })

      test('moves each user and day once, and keeps its rows unchanged', async () => {
        const rows = [
          sampleUsageRow({ id: 'use_1', userId: 'usr_b', cost: 1 }),
          sampleUsageRow({ id: 'use_2', userId: 'usr_a', cost: 2, losses: ['top_k', 'seed'] }),
          sampleUsageRow({ id: 'use_3', userId: 'usr_b', cost: 4, firstByteMs: null, outcome: 'hung-up' }),
          sampleUsageRow({ id: 'use_4', userId: 'usr_b', cost: 8, day: '2023-11-15' }),
        ]
        const { days } = await usage().write(sampleGroup({ rows }))
        expect(days).toEqual([
          { userId: 'usr_a', day: TODAY, deltaMicros: 2, version: 1 },
          { userId: 'usr_b', day: TODAY, deltaMicros: 5, version: 1 },
          { userId: 'usr_b', day: '2023-11-15', deltaMicros: 8, version: 1 },
        ])
        const stored = await opened().runSql(
          'select id, user_id, outcome, first_byte_ms, losses, entry_id from text_usage order by id',
        )
        expect(stored).toMatchObject([
          { id: 'use_1', losses: null },
          { id: 'use_2', losses: '["top_k","seed"]', entry_id: 'grp_1:org_1' },
          { id: 'use_3', first_byte_ms: null, outcome: 'hung-up' },
          { id: 'use_4', user_id: 'usr_b' },
        ])
      })

      test('of 500 rows of 50 organizations charges each for its own', async () => {
        const ids = Array.from({ length: 50 }, (_, number) => `org_x${number}`)
        const allowances: Record<string, string> = {}
        for (const id of ids) {
          await createFunded(opened().store, { id, balance: 100 })
          await lease([60], { organizationId: id, holdId: `hold_${id}` })
          allowances[id] = `hold_${id}`
        }
        const rows = Array.from({ length: 500 }, (_, number) =>
          sampleUsageRow({
            id: `use_${number}`,
            organizationId: ids[number % 50],
            userId: `usr_${number % 50}`,
            cost: 7,
          }),
        )
        const { charges, days } = await usage().write(sampleGroup({ rows, allowances }))
        expect(charges).toEqual(ids.toSorted().map((id) => chargeOf(60, 10, 0, id)))
        expect(days).toHaveLength(50)
        for (const id of ids) expect(await money(id)).toEqual({ balance: 30, held: 0 })
      })
    })
  })
}
