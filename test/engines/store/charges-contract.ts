import { beforeEach, describe, expect, test } from 'vitest'
import { exportFocus } from '../../../src/app/usage/export-focus.ts'
import { showUsage } from '../../../src/app/usage/show-usage.ts'
import { chargeJson } from '../../../src/app/views/usage.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { FOCUS_COLUMNS, type FocusRow } from '../../../src/domain/usage/focus-row.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

export function describeCharges(opened: GetOpened): void {
  const store = () => opened().store
  const show = async (id: string) => chargeJson(await showUsage(store())(id))
  const clock = { nowMs: () => MORNING_MS, monotonicMs: () => 0 }

  async function readFocus(organizationId?: string): Promise<FocusRow[]> {
    const rows: FocusRow[] = []
    for await (const day of exportFocus({ ...store(), clock })({ organizationId })) rows.push(...day)
    return rows
  }

  describe('charges one by one', () => {
    /** Text of 3 and 5 micros at 2 USD a million input and 0.5 a million output tokens; a video of 60, 15 refunded. */
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await store().users.create(sampleUser(), sampleAudit())
      await store().apiKeys.create(sampleApiKey(), sampleAudit())
      const row = (id: string, input: number, output: number, cost: number) =>
        sampleUsageRow({
          ...{ id, requestId: `req_of_${id}`, inputTokens: input, outputTokens: output, cost },
          ...{ cachedInputTokens: 0, cacheWriteTokens: 0, vendorUsage: '{"input_tokens":1,"new":{"a":2}}' },
          priceLines: [
            { unit: 'input_token', quantity: input, priceMicros: micros(2_000_000) },
            { unit: 'output_token', quantity: output, priceMicros: micros(500_000) },
          ],
        })
      await store().usage.write(sampleGroup({ rows: [row('use_1', 1, 1, 3), row('use_2', 2, 1, 5)] }))
      await beginAccepted(store(), { requestId: 'req_of_task_1' })
      await store().tasks.move(sampleMove('succeeded'))
      await store().ledger.refund(
        { entryId: 'ent_r', taskId: 'task_1', amountMicros: micros(15), note: null, atMs: MORNING_MS },
        sampleAudit({ action: 'ledger.refund' }),
      )
    })

    test.each(['req_of_use_2', 'use_2'])(
      '%s shows a text request with the parts of its 5 micros',
      async (id) => {
        expect(await show(id)).toMatchObject({
          ...{ request_id: 'req_of_use_2', usage_id: 'use_2', provider: 'vendorC', cost_micros: 5 },
          ...{ model: 'vendorC/model-4.1', price_model: 'vendorC/model-4.1', outcome: 'completed' },
          price_lines: [
            { unit: 'input_token', quantity: 2, price_micros: 2_000_000 },
            { unit: 'output_token', quantity: 1, price_micros: 500_000 },
          ],
          vendor_usage: { input_tokens: 1, new: { a: 2 } },
          ...{ entry_id: 'grp_1:org_1', charged_at: '2023-11-14T22:13:20.000Z' },
        })
      },
    )

    const OF_VIDEO = ['task_1', 'req_of_task_1']

    test.each(OF_VIDEO)('%s shows a video with its 60 micros and the 15 that were refunded', async (id) => {
      expect(await show(id)).toMatchObject({
        ...{
          request_id: 'req_of_task_1',
          task_id: 'task_1',
          key_id: 'key_1',
          model: 'vendorA/gen-2.0',
          provider: 'vendorA',
        },
        ...{ cost_micros: 60, hold_micros: 100, refunded_micros: 15, video_seconds: 5 },
        ...{ unit: 'video_token', quantity: 60, price_micros: 1_000_000 },
      })
    })

    test.each(OF_VIDEO)('%s finds its task, its entries, and a refund of 45 micros', async (id) => {
      expect(await store().tasks.findForOperator(id)).toMatchObject({ id: 'task_1', refundedMicros: 15 })
      const filter = id.startsWith('req_') ? { usageId: id } : { taskId: id }
      const page = { organizationId: 'org_1', limit: 10 }
      const kinds = async () =>
        (await store().operatorPages.entries({ ...page, ...filter })).map(({ kind }) => kind)
      expect((await kinds()).toSorted()).toEqual(['refund', 'settlement'])
      const refund = { taskId: id, note: null, atMs: MORNING_MS }
      const give = (entryId: string, amount?: number) =>
        store().ledger.refund(
          { ...refund, entryId, amountMicros: amount === undefined ? undefined : micros(amount) },
          sampleAudit({ action: 'ledger.refund', subject: id, actor: 'ana' }),
        )
      expect(await give('ent_much', 46)).toEqual({ kind: 'too-much', leftMicros: 45 })
      expect(await give('ent_rest')).toMatchObject({ amountMicros: 45 })
      expect(await give('ent_more')).toEqual({ kind: 'nothing-left' })
      expect(await show(id)).toMatchObject({ refunded_micros: 60 })
      const acts = await store().audit.list({ limit: 10, action: 'ledger.refund', subject: 'task_1' })
      expect(acts.filter(({ actor }) => actor === 'ana')).toHaveLength(1)
    })

    test.each(['req_none', 'task_none'])('%s is not found', async (id) => {
      await expect(show(id)).rejects.toMatchObject({ code: 'not_found' })
    })

    test('FOCUS has a row for each unit and price, and bills 8 micros of text and 60 of video', async () => {
      const rows = await readFocus()
      const seen = rows.map(({ SkuMeter, ConsumedQuantity, BilledCost, ContractedCost }) => [
        ...[SkuMeter, ConsumedQuantity, BilledCost, ContractedCost],
      ])
      expect(seen).toEqual([
        ['Video Tokens', '60', '0.00006', '0.00006'],
        ['Input Tokens', '3', '0.000006', '0.000006'],
        ['Output Tokens', '2', '0.000002', '0.000001'],
      ])
      expect(await readFocus('org_2')).toEqual([])
    })

    test('FOCUS keeps to the rules of its columns', async () => {
      for (const row of await readFocus('org_1')) expectFocus(row)
    })
  })
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Requirements of FOCUS 1.2 for a row of usage that is no correction. */
function expectFocus(row: FocusRow): void {
  expect(Object.keys(row)).toEqual([...FOCUS_COLUMNS])
  for (const column of [
    ...(['BilledCost', 'ContractedCost', 'EffectiveCost', 'ListCost', 'ConsumedQuantity'] as const),
    ...(['ContractedUnitPrice', 'ListUnitPrice', 'PricingQuantity'] as const),
  ])
    expect(row[column], column).toMatch(DECIMAL)
  for (const column of [
    'BillingPeriodStart',
    'BillingPeriodEnd',
    'ChargePeriodStart',
    'ChargePeriodEnd',
  ] as const)
    expect(row[column], column).toMatch(MOMENT)
  for (const column of FOCUS_COLUMNS) if (column !== 'ChargeClass') expect(row[column], column).not.toBe('')
  expect(row).toMatchObject({
    ...{ ChargeCategory: 'Usage', ChargeClass: '', ChargeFrequency: 'Usage-Based', BillingCurrency: 'USD' },
    ...{ PricingCategory: 'Standard', ServiceCategory: 'AI and Machine Learning' },
    ServiceSubcategory: 'Generative AI',
  })
  expect(row.ConsumedUnit).toMatch(/^(?:Tokens|Seconds|Credits|Requests)$/)
  expect(row.PricingUnit).toMatch(/^(?:1000000 Tokens|Seconds|Credits|Requests)$/)
  expect(Number(row.ContractedCost)).toBeCloseTo(
    Number(row.ContractedUnitPrice) * Number(row.PricingQuantity),
    12,
  )
  expect(row.ChargePeriodStart >= row.BillingPeriodStart && row.ChargePeriodEnd <= row.BillingPeriodEnd).toBe(
    true,
  )
  expect(row.ChargePeriodStart < row.ChargePeriodEnd).toBe(true)
}
