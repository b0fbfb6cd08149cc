import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepUsage } from '../../../src/app/billing/keep-usage.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { UsageGroup } from '../../../src/domain/usage/usage-query.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, HOUR_MS, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { beginAccepted, DAY_MS, sampleMove } from './sample-task.ts'

const HOUR = MORNING_MS - (MORNING_MS % HOUR_MS)
const DAY = MORNING_MS - (MORNING_MS % DAY_MS)

export function describeRollups(opened: GetOpened): void {
  const store = () => opened().store
  const run = (text: string) => opened().runSql(text)
  const check = () => store().ledger.check({ nowMs: MORNING_MS, limit: 10 })
  const keep = (nowMs = MORNING_MS, rowsKeptDays = 0) =>
    keepUsage({
      ...store(),
      clock: { nowMs: () => nowMs, monotonicMs: () => 0 },
      rowsKeptDays,
      onDayClosed: async () => {},
    })()
  const sums = async (table: 'hour' | 'day') => {
    const rows = await run(
      `select * from usage_rollup_${table} order by starts_at_ms, model, outcome, user_id`,
    )
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .map(([name, value]) => [name, /^-?\d+$/.test(String(value)) ? Number(value) : value])
          .filter(([, value]) => value !== 0),
      ),
    )
  }

  describe('rollups of usage', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await store().users.create(sampleUser(), sampleAudit())
      await store().apiKeys.create(sampleApiKey(), sampleAudit())
    })
    afterEach(async () => {
      expect(await check()).toEqual([])
    })

    const KEY = { organization_id: 'org_1', user_id: 'usr_1', api_key_id: 'key_1' }
    const TEXT = { ...KEY, model: 'vendorC/model-4.1', outcome: 'completed' }
    const VIDEO = { ...KEY, model: 'vendorA/gen-2.0', outcome: 'completed' }
    const refund = (amount: number, atMs: number) =>
      store().ledger.refund(
        { entryId: `ent_${atMs}`, taskId: 'task_1', amountMicros: micros(amount), note: null, atMs },
        sampleAudit({ action: 'ledger.refund' }),
      )

    test('add up a group by key, model and outcome: 10 + 25 micros, and 1 micro that failed', async () => {
      const rows = [
        sampleUsageRow({ firstByteMs: 100, durationMs: 250 }),
        sampleUsageRow({ id: 'use_2', cost: 25, firstByteMs: 101, durationMs: 300_001 }),
        sampleUsageRow({ id: 'use_3', cost: 1, outcome: 'failed', firstByteMs: null, durationMs: 0 }),
      ]
      await store().usage.write(sampleGroup({ rows }))
      const completed = {
        ...TEXT,
        ...{ requests: 2, input_tokens: 6, cached_input_tokens: 4, cache_write_tokens: 2, output_tokens: 8 },
        ...{ cost_micros: 35, first_byte_100: 1, first_byte_250: 1, duration_250: 1, duration_more: 1 },
      }
      const failed = {
        ...{ ...TEXT, outcome: 'failed', requests: 1, errors: 1, cost_micros: 1, duration_250: 1 },
        ...{ input_tokens: 3, cached_input_tokens: 2, cache_write_tokens: 1, output_tokens: 4 },
      }
      expect(await sums('hour')).toEqual([
        { ...completed, starts_at_ms: HOUR },
        { ...failed, starts_at_ms: HOUR },
      ])
      expect(await sums('day')).toEqual([
        { ...completed, starts_at_ms: DAY },
        { ...failed, starts_at_ms: DAY },
      ])
    })

    test('count a charge in the hour of its entry, also when its row is older, and a repeated group once', async () => {
      const group = sampleGroup({ atMs: HOUR + HOUR_MS })
      await store().usage.write(group)
      await store().usage.write(group)
      await store().usage.write(
        sampleGroup({ id: 'grp_2', rows: [sampleUsageRow({ id: 'use_2', cost: 5 })] }),
      )
      expect(await sums('hour')).toMatchObject([
        { starts_at_ms: HOUR, requests: 1, cost_micros: 5 },
        { starts_at_ms: HOUR + HOUR_MS, requests: 1, cost_micros: 10 },
      ])
      expect(await sums('day')).toMatchObject([{ starts_at_ms: DAY, requests: 2, cost_micros: 15 }])
    })

    test('count a video of 60 micros in the hour of its settlement, and a refund of 15 in its own hour', async () => {
      await beginAccepted(store())
      await store().tasks.move(sampleMove('succeeded', { atMs: MORNING_MS + 2_000, videoMs: 5_040 }))
      await refund(15, MORNING_MS + HOUR_MS)
      const video = { ...VIDEO, requests: 1, video_ms: 5_040, duration_2500: 1 }
      expect(await sums('hour')).toEqual([
        { ...video, starts_at_ms: HOUR, cost_micros: 60 },
        { ...VIDEO, starts_at_ms: HOUR + HOUR_MS, cost_micros: -15 },
      ])
      expect(await sums('day')).toEqual([{ ...video, starts_at_ms: DAY, cost_micros: 45 }])
    })

    test('get the charges of an older replica: 10 of text, 60 of video, 15 refunded', async () => {
      await store().usage.write(sampleGroup())
      await beginAccepted(store())
      await store().tasks.move(sampleMove('succeeded', { atMs: MORNING_MS + 2_000 }))
      await refund(15, MORNING_MS + 3_000)
      const before = [await sums('hour'), await sums('day')]
      for (const text of AS_OLDER_VERSION) await run(text)
      expect(await check()).toEqual([])
      await refund(5, MORNING_MS + 4_000)
      await keep()
      await keep()
      const lower = (rows: typeof before) =>
        rows.map((each) =>
          each.map(({ video_ms: _unknown, ...row }) =>
            row.model === VIDEO.model ? { ...row, cost_micros: 40 } : row,
          ),
        )
      expect([await sums('hour'), await sums('day')]).toEqual(lower(before))
      expect(await run('select id from text_usage where charged_at_ms is null')).toEqual([])
    })

    test('outlive rows and hours: days still prove 10 + 20 micros', async () => {
      await store().usage.write(sampleGroup())
      const later = MORNING_MS + 91 * DAY_MS
      const rows = [sampleUsageRow({ id: 'use_2', cost: 20, day: '2024-02-13' })]
      await store().usage.write(sampleGroup({ id: 'grp_2', rows, atMs: later }))
      await keep(later, 91)
      expect(await run('select id from text_usage')).toHaveLength(2)
      await keep(later, 90)
      expect(await run('select id from text_usage')).toEqual([{ id: 'use_2' }])
      expect(await sums('hour')).toMatchObject([{ cost_micros: 20 }])
      expect(await sums('day')).toMatchObject([{ cost_micros: 10 }, { cost_micros: 20 }])
    })

    test('keep rows without limit when no limit is set', async () => {
      await store().usage.write(sampleGroup())
      await keep(MORNING_MS + 10_000 * DAY_MS)
      expect(await run('select id from text_usage')).toHaveLength(1)
      expect(await sums('hour')).toEqual([])
    })
  })

  describe('closed days', () => {
    const closed = (table: 'model' | 'key') =>
      run(`select * from usage_rollup_day_${table} order by starts_at_ms`).then((rows) =>
        rows.map(({ starts_at_ms, requests, cost_micros, ...row }) => ({
          key: row.model ?? row.api_key_id,
          figures: [starts_at_ms, requests, cost_micros].map(Number),
        })),
      )
    const report = (by: readonly UsageGroup[], toMs = DAY + 3 * DAY_MS) =>
      store().usageReports.sum({
        ...{
          by,
          fromMs: DAY,
          toMs,
          unit: 'day' as const,
          organizationId: undefined,
          after: undefined,
          limit: 10,
        },
      })
    const write = (id: string, cost: number, atMs: number) =>
      store().usage.write(sampleGroup({ id, rows: [sampleUsageRow({ id: `use_${id}`, cost })], atMs }))

    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await write('grp_1', 10, MORNING_MS)
      await write('grp_2', 7, MORNING_MS + DAY_MS)
    })
    afterEach(async () => {
      expect(await check()).toEqual([])
    })

    test('have one sum by model and one by key, of 10 micros; a day has none until an hour after its end', async () => {
      await keep(DAY + DAY_MS + HOUR_MS - 1)
      expect(await closed('model')).toEqual([])
      await keep(DAY + DAY_MS + HOUR_MS)
      expect(await closed('model')).toEqual([{ key: 'vendorC/model-4.1', figures: [DAY, 1, 10] }])
      expect(await closed('key')).toEqual([{ key: 'key_1', figures: [DAY, 1, 10] }])
    })

    test.each([
      ['day'],
      ['org'],
      ['model'],
      ['user'],
      ['key'],
      ['day', 'model'],
      ['org', 'key'],
      ['key', 'model'],
    ] as UsageGroup[][])('are reported like open days, by %s %s: 10 + 7 micros', async (...by) => {
      const groups = by.filter((group): group is UsageGroup => group !== undefined)
      const [open, firstDay] = [await report(groups), await report(groups, DAY + DAY_MS)]
      expect(open.reduce((sum, { costMicros }) => sum + costMicros, 0)).toBe(17)
      await keep(DAY + DAY_MS + HOUR_MS)
      expect(await report(groups)).toEqual(open)
      expect(await report(groups, DAY + DAY_MS)).toEqual(firstDay)
      await keep(DAY + 2 * DAY_MS + HOUR_MS)
      expect(await report(groups)).toEqual(open)
    })

    test('are opened by a late charge of 5 micros, and closed again with it', async () => {
      await keep(DAY + 2 * DAY_MS + HOUR_MS)
      await write('grp_3', 5, MORNING_MS + 1_000)
      expect(await report(['model'])).toMatchObject([{ requests: 3, costMicros: 22 }])
      expect(await check()).toEqual([])
      await keep(DAY + 2 * DAY_MS + HOUR_MS)
      expect(await closed('key')).toEqual([
        { key: 'key_1', figures: [DAY, 2, 15] },
        { key: 'key_1', figures: [DAY + DAY_MS, 1, 7] },
      ])
      expect(await report(['key'])).toMatchObject([{ requests: 3, costMicros: 22 }])
    })
  })

  describe('the check of rollups', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 10_000 })
      await store().usage.write(sampleGroup())
    })

    test.each([
      ['an hour that counts a request twice', 'hour', 'requests = 2', '1 requests'],
      ['a day with 1 micro too many', 'day', 'cost_micros = 11', '1 cost_micros'],
      ['an hour with a token too few', 'hour', 'output_tokens = 3', '-1 output_tokens'],
      ['a day whose histogram is wrong', 'day', 'duration_more = 1', '1 duration_more'],
    ])('finds %s', async (_what, table, change, difference) => {
      await run(`update usage_rollup_${table} set ${change}`)
      const start = table === 'hour' ? '2023-11-14T22:00:00.000Z' : '2023-11-14T00:00:00.000Z'
      expect((await check()).filter(({ invariant }) => invariant === 13)).toEqual([
        {
          invariant: 13,
          subject: `usage_rollup_${table} ${start} org_1 usr_1 key_1 vendorC/model-4.1 completed`,
          message: `The rollup has ${difference} more than its rows, settlements and refunds.`,
        },
      ])
    })

    test('finds a day that costs 12 micros with entries for 10', async () => {
      await run('update usage_rollup_day set cost_micros = 12')
      expect((await check()).filter(({ invariant }) => invariant === 14)).toEqual([
        {
          invariant: 14,
          subject: 'org_1 2023-11-14',
          message: 'The rollups of the day cost 12 micros, its entries stand for 10.',
        },
      ])
    })

    test('begins no invariant after the deadline, and names all fifteen as unchecked', async () => {
      await run('update usage_rollup_day set cost_micros = 12')
      const within = (timeoutMs?: number) =>
        store().ledger.checkWithin({ nowMs: MORNING_MS, limit: 10, timeoutMs })
      expect(await within(0)).toEqual({
        violations: [],
        unchecked: Array.from({ length: 15 }, (_, index) => index + 1),
      })
      expect(await within()).toMatchObject({ violations: [{}, {}], unchecked: [] })
    })

    test('finds a closed day whose sum by key has 1 micro too many', async () => {
      await keep(DAY + DAY_MS + HOUR_MS)
      await run('update usage_rollup_day_key set cost_micros = 11')
      expect(await check()).toEqual([
        {
          invariant: 13,
          subject: 'usage_rollup_day_key 2023-11-14 org_1 usr_1 key_1',
          message: 'The sum of the closed day has 1 cost_micros more than its rollups.',
        },
      ])
    })

    test('finds rows without a rollup', async () => {
      await run('delete from usage_rollup_hour')
      await run('delete from usage_rollup_day')
      expect((await check()).map(({ invariant }) => invariant)).toEqual([13, 13, 14])
    })
  })
}

/** Statements that make the rows look as if only an older version had charged. */
const AS_OLDER_VERSION = [
  'update text_usage set charged_at_ms = null, request_id = null, provider = null',
  `update ledger_entries set user_id = null, api_key_id = null, model = null, outcome = null, video_ms = null,
     duration_ms = null`,
  'delete from usage_rollup_hour',
  'delete from usage_rollup_day',
]
