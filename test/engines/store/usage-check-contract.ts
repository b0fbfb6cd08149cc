import { beforeEach, describe, expect, test } from 'vitest'
import type { GetOpened } from './opened-store.ts'
import { createFunded, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'

/** Changes a text charge by hand, and the ledger with it, so that only its price lines show the change. */
export function describeUsageCheck(opened: GetOpened): void {
  const check = () => opened().store.ledger.check({ nowMs: MORNING_MS, limit: 10 })
  const invariant = 8

  describe('the check of text charges', () => {
    beforeEach(async () => {
      await createFunded(opened().store, { balance: 10_000 })
      await opened().store.usage.write(sampleGroup())
    })

    test.each([
      [
        'a text charge ten times too high',
        'cost_micros = 100',
        'The usage row costs 100 micros, its price lines come to 10.',
      ],
      [
        'a text charge at another price than the price that applied',
        `price_lines = replace(price_lines, '"price_micros":10}', '"price_micros":7}')`,
        'The usage row costs 10 micros, its price lines come to 7.',
      ],
      [
        'tokens that were measured and not charged',
        'output_tokens = 4000',
        'The usage row has 4000 output_tokens, its price lines 4.',
      ],
      [
        'tokens that were cached for long and not measured',
        `price_lines = replace(price_lines, '"unit":"cache_write_token","quantity":1', '"unit":"long_cache_write_token","quantity":2')`,
        'The usage row has 1 cache_write_tokens, its price lines 2.',
      ],
      [
        'price lines without content',
        "price_lines = '[{}]'",
        'The price lines of the usage row cannot be read.',
      ],
    ])('finds %s', async (_, change, message) => {
      await opened().runSql(`update text_usage set ${change} where id = 'use_1'`)
      await opened().runSql(
        "update ledger_entries set amount_micros = (select -cost_micros from text_usage where id = 'use_1') where kind = 'usage'",
      )
      await opened().runSql(
        'update organizations set balance_micros = (select sum(amount_micros) from ledger_entries)',
      )
      const found = await check()
      expect(found.filter((violation) => violation.invariant === invariant)).toEqual([
        { invariant, subject: 'use_1', message },
      ])
    })

    test('finds every wrong charge among more than one page of charges', async () => {
      const ids = Array.from({ length: 2_100 }, (_, index) => `use_x${String(index).padStart(4, '0')}`)
      for (let from = 0; from < ids.length; from += 300) {
        const rows = ids.slice(from, from + 300).map((id) => sampleUsageRow({ id, cost: 1 }))
        await opened().store.usage.write(sampleGroup({ id: `grp_${from}`, rows, allowances: {} }))
      }
      const wrong = ['use_x0000', 'use_x1000', 'use_x2000', 'use_x2099']
      await opened().runSql(
        `update text_usage set cost_micros = 2 where id in (${wrong.map((id) => `'${id}'`).join(', ')})`,
      )
      const found = (await check()).filter((violation) => violation.invariant === invariant)
      expect(found.map(({ subject }) => subject)).toEqual(wrong)
    })

    test('finds nothing in rows of the gateway', async () => {
      expect(await check()).toEqual([])
    })

    test('leaves out rows from before their price lines were kept, and counts them', async () => {
      await opened().runSql("update text_usage set price_lines = null, asked_model = null where id = 'use_1'")
      expect(await check()).toEqual([])
      expect(await opened().store.ledger.countUnmeasured()).toBe(1)
    })
  })
}
