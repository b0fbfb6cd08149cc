import { beforeEach, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { sumUsage } from '../../../src/app/usage/sum-usage.ts'
import { usageJson } from '../../../src/app/views/usage.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, HOUR_MS, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS } from './sample-rows.ts'
import { DAY_MS } from './sample-task.ts'

export function describeUsageSums(opened: GetOpened): void {
  const secrets = createSecrets('a secret of the tests, long enough to be one')
  const clock = { nowMs: () => MORNING_MS + DAY_MS, monotonicMs: () => 0 }
  const sum = (query: Partial<Parameters<ReturnType<typeof sumUsage>>[0]> = {}) =>
    sumUsage({ ...opened().store, secrets, clock })({
      ...{ organizationId: undefined, limit: 100, cursor: undefined },
      ...query,
    })
  const read = async (query: Parameters<typeof sum>[0]) => (await sum(query)).sums.map(usageJson)

  describe('sums of usage', () => {
    /** 1 and 2 micros in the first hour, 4 in the next, 8 on the next day; 16 of another organization. */
    beforeEach(async () => {
      const { store } = opened()
      await createFunded(store, { balance: 1_000 })
      await createFunded(store, { id: 'org_2', balance: 1_000 })
      const write = (id: string, cost: number, atMs: number, part = {}) =>
        store.usage.write(
          sampleGroup({
            id: `grp_${id}`,
            rows: [sampleUsageRow({ id, cost, ...part })],
            allowances: {},
            atMs,
          }),
        )
      await write('use_1', 1, MORNING_MS)
      await write('use_2', 2, MORNING_MS, { model: 'b/m', keyId: 'key_2', outcome: 'failed' })
      await write('use_3', 4, MORNING_MS + HOUR_MS)
      await write('use_4', 8, MORNING_MS + DAY_MS, { userId: 'usr_2' })
      await write('use_5', 16, MORNING_MS, { organizationId: 'org_2' })
    })

    test('by day, of one organization or of all', async () => {
      expect(await read({ organizationId: 'org_1' })).toMatchObject([
        { day: '2023-11-14', requests: 3, errors: 1, input_tokens: 9, output_tokens: 12, cost_micros: 7 },
        { day: '2023-11-15', requests: 1, errors: 0, cost_micros: 8 },
      ])
      expect((await read({})).map(({ cost_micros }) => cost_micros)).toEqual([23, 8])
    })

    test('by hour, and by day within hours', async () => {
      expect(
        await read({ by: 'hour', from: '2023-11-14', to: '2023-11-15', organizationId: 'org_1' }),
      ).toMatchObject([
        { hour: '2023-11-14T22:00:00Z', cost_micros: 3 },
        { hour: '2023-11-14T23:00:00Z', cost_micros: 4 },
      ])
      expect(
        await read({ from: '2023-11-14T23:00Z', to: '2023-11-16', organizationId: 'org_1' }),
      ).toMatchObject([
        { day: '2023-11-14', cost_micros: 4 },
        { day: '2023-11-15', cost_micros: 8 },
      ])
    })

    test('by everything else, in the order of the groups', async () => {
      expect(await read({ by: 'model,key,user,org' })).toMatchObject([
        {
          organization_id: 'org_1',
          user_id: 'usr_1',
          key_id: 'key_1',
          model: 'vendorC/model-4.1',
          cost_micros: 5,
        },
        { organization_id: 'org_1', user_id: 'usr_1', key_id: 'key_2', model: 'b/m', cost_micros: 2 },
        { organization_id: 'org_1', user_id: 'usr_2', key_id: 'key_1', cost_micros: 8 },
        { organization_id: 'org_2', user_id: 'usr_1', key_id: 'key_1', cost_micros: 16 },
      ])
    })

    test.each(['day', 'hour', 'org', 'model,day', 'key,hour,user'])('by %s in pages of one', async (by) => {
      const range = { by, from: '2023-11-14', to: '2023-11-16' }
      const whole = await sum(range)
      const paged: typeof whole.sums = []
      for (let cursor: string | undefined; ; ) {
        const page = await sum({ ...range, limit: 1, cursor })
        paged.push(...page.sums)
        if (page.nextCursor === undefined) break
        cursor = page.nextCursor
      }
      expect(paged).toEqual(whole.sums)
      expect(paged.length).toBeGreaterThan(1)
    })

    test('a cursor is valid for its own query only', async () => {
      const first = await sum({ by: 'day,model', organizationId: 'org_1', limit: 1 })
      const cursor = first.nextCursor
      expect((await sum({ by: 'day,model', organizationId: 'org_1', cursor })).sums).toHaveLength(2)
      expect((await sum({ organizationId: 'org_1', cursor })).sums).toHaveLength(2)
      for (const wrong of [
        { organizationId: 'org_2' },
        { organizationId: undefined },
        { by: 'day' },
        { from: '2023-11-01' },
        { to: '2023-11-15' },
        { cursor: `${cursor}x` },
      ])
        await expect(sum({ organizationId: 'org_1', cursor, ...wrong })).rejects.toMatchObject({
          code: 'invalid_cursor',
        })
    })
  })
}
