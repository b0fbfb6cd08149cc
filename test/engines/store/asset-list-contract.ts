import { beforeEach, describe, expect, test } from 'vitest'
import type { AssetStatus } from '../../../src/domain/assets/asset.ts'
import type { AssetStore, NewAsset } from '../../../src/ports/asset-store.ts'
import type { GetOpened } from './opened-store.ts'
import { createOrganizations, processing, sampleAsset, sampleAssetMove, sampleGroup } from './sample-asset.ts'
import { MORNING_MS } from './sample-rows.ts'

type Query = Parameters<AssetStore['list']>[0]

export function describeAssetList(opened: GetOpened): void {
  const assets = () => opened().store.assets
  const list = (part: Partial<Query> = {}) =>
    assets().list({
      organizationId: 'org_1',
      groupId: 'grp_1',
      statuses: undefined,
      name: undefined,
      page: 1,
      limit: 10,
      sortBy: 'create_time',
      sortOrder: 'desc',
      ...part,
    })
  const listIds = async (part: Partial<Query> = {}) => (await list(part)).assets.map(({ id }) => id)
  const add = async (part: Partial<NewAsset>, status: AssetStatus = 'processing', atMs = MORNING_MS) => {
    const asset = sampleAsset(part)
    await assets().create(asset, undefined)
    const { id, organizationId } = asset
    await assets().move(sampleAssetMove(status, { id, organizationId, atMs }))
  }
  const names = async (name: string) => {
    const { assets: found, totalCount } = await list({ name, sortOrder: 'asc' })
    expect(totalCount).toBe(found.length)
    return found.map((asset) => asset.name)
  }

  describe('listing assets', () => {
    beforeEach(async () => {
      await createOrganizations(opened().store, 'org_1', 'org_2')
      await assets().setDefaultGroup(sampleGroup())
      await assets().setDefaultGroup(sampleGroup({ id: 'grp_2', organizationId: 'org_2' }))
      await assets().bindPerson(sampleGroup({ id: 'grp_p', kind: 'person' }), undefined)
    })

    test('whole assets of one group of one organization', async () => {
      await add({})
      await add({ id: 'ast_p', groupId: 'grp_p' })
      await add({ id: 'ast_theirs', organizationId: 'org_2', groupId: 'grp_2' })
      expect(await list()).toStrictEqual({ assets: [processing(sampleAsset())], totalCount: 1 })
      expect(await listIds({ groupId: 'grp_p' })).toEqual(['ast_p'])
    })

    test.each([
      { organizationId: 'org_2' },
      { groupId: 'grp_2' },
      { groupId: 'grp_9' },
      { groupId: undefined },
      { statuses: [] },
    ])('nothing for %j', async (part) => {
      await add({ name: 'a' })
      await add({ id: 'ast_theirs', organizationId: 'org_2', groupId: 'grp_2', name: 'a' })
      expect(await list(part)).toEqual({ assets: [], totalCount: 0 })
      expect(await list({ ...part, name: 'a' })).toEqual({ assets: [], totalCount: 0 })
    })

    test('sorted by each key in both orders, and by id for equal moments', async () => {
      await add({ id: 'ast_b', createdAtMs: MORNING_MS + 1 }, 'active', MORNING_MS + 9)
      await add({ id: 'ast_c', createdAtMs: MORNING_MS + 1 }, 'failed', MORNING_MS + 8)
      await add({ id: 'ast_a', createdAtMs: MORNING_MS + 2 })
      await add({ id: 'ast_d', createdAtMs: MORNING_MS }, 'active', MORNING_MS + 8)
      const orders = {
        create_time: ['ast_d', 'ast_b', 'ast_c', 'ast_a'],
        update_time: ['ast_a', 'ast_c', 'ast_d', 'ast_b'],
        group_id: ['ast_d', 'ast_b', 'ast_c', 'ast_a'],
      } as const
      for (const sortBy of ['create_time', 'update_time', 'group_id'] as const) {
        expect(await listIds({ sortBy, sortOrder: 'asc' })).toEqual(orders[sortBy])
        expect(await listIds({ sortBy, sortOrder: 'desc' })).toEqual(orders[sortBy].toReversed())
      }
    })

    test('page by page, with the total count', async () => {
      const statuses = ['processing', 'active', 'failed'] as const
      for (const number of [1, 2, 3, 4, 5]) {
        const id = `ast_${number}`
        await add({ id, createdAtMs: MORNING_MS + number, name: `No. ${number}` }, statuses[number % 3])
      }
      for (const name of [undefined, 'no. ']) {
        expect(await listIds({ limit: 2, name })).toEqual(['ast_5', 'ast_4'])
        expect(await listIds({ limit: 2, page: 2, name })).toEqual(['ast_3', 'ast_2'])
        expect(await listIds({ limit: 2, page: 3, name })).toEqual(['ast_1'])
        for (const page of [4, Number.MAX_SAFE_INTEGER]) {
          expect(await list({ limit: 100, page, name })).toEqual({ assets: [], totalCount: 5 })
        }
      }
    })

    test('the pages together are the list, in each order', async () => {
      for (const number of Array.from({ length: 11 }).keys()) {
        await add({ id: `ast_${number}`, createdAtMs: MORNING_MS + (number % 4) })
      }
      for (const sortOrder of ['asc', 'desc'] as const) {
        const whole = await listIds({ sortOrder, limit: 100 })
        expect(new Set(whole).size).toBe(11)
        const pages = [1, 2, 3, 4].map((page) => listIds({ sortOrder, limit: 3, page }))
        expect((await Promise.all(pages)).flat()).toEqual(whole)
      }
    })

    test('by one or several statuses, also repeated ones', async () => {
      await add({ id: 'ast_1' })
      await add({ id: 'ast_2' }, 'active')
      await add({ id: 'ast_3' }, 'failed')
      await add({ id: 'ast_4' }, 'active')
      const expectIds = async (statuses: AssetStatus[], ids: string[]) => {
        const { assets: found, totalCount } = await list({ statuses, sortOrder: 'asc' })
        expect(found.map(({ id }) => id)).toEqual(ids)
        expect(totalCount).toBe(ids.length)
      }
      await expectIds(['processing'], ['ast_1'])
      await expectIds(['active'], ['ast_2', 'ast_4'])
      await expectIds(['failed', 'processing', 'failed'], ['ast_1', 'ast_3'])
      await expectIds(['failed', 'active', 'processing'], ['ast_1', 'ast_2', 'ast_3', 'ast_4'])
      expect(await list({ statuses: ['active'], limit: 1, page: 2 })).toMatchObject({
        assets: [{ id: 'ast_2' }],
        totalCount: 2,
      })
    })

    test('by a part of the name, in any case', async () => {
      const all = ['Cat.png', 'concatenate', 'dog', 'ZOË', 'Straße', 'Ａlpha', '肖像一']
      for (const [number, name] of all.entries()) {
        await add({ id: `ast_${number}`, name, createdAtMs: MORNING_MS + number })
      }
      await add({ id: 'ast_unnamed', name: null, createdAtMs: MORNING_MS + 99 })
      expect(await names('CAT')).toEqual(['Cat.png', 'concatenate'])
      expect(await names('zoe\u0308')).toEqual(['ZOË'])
      expect(await names('STRASSE')).toEqual(['Straße'])
      expect(await names('alpha')).toEqual(['Ａlpha'])
      expect(await names('像')).toEqual(['肖像一'])
      expect(await names('zoe')).toEqual([])
      expect(await names('')).toEqual([...all, null])
    })

    test('special characters of the engines in a name have no effect', async () => {
      const all = ['100%', '100 percent', 'a_b', 'aXb', 'a\\b', "o'clock", '%', 'x*y?', '[z]']
      for (const [number, name] of all.entries()) {
        await add({ id: `ast_${number}`, name, createdAtMs: MORNING_MS + number })
      }
      expect(await names('%')).toEqual(['100%', '%'])
      expect(await names('0%')).toEqual(['100%'])
      expect(await names('_')).toEqual(['a_b'])
      expect(await names('a_b')).toEqual(['a_b'])
      expect(await names('\\')).toEqual(['a\\b'])
      expect(await names("'")).toEqual(["o'clock"])
      expect(await names('*')).toEqual(['x*y?'])
      expect(await names('[')).toEqual(['[z]'])
      expect(await names('ﷺ'.repeat(5_000))).toEqual([])
    })

    test('a name and a status together', async () => {
      await add({ id: 'ast_1', name: 'cat' })
      await add({ id: 'ast_2', name: 'cat' }, 'active')
      await add({ id: 'ast_3', name: 'dog' }, 'active')
      expect(await list({ name: 'CAT', statuses: ['active'] })).toMatchObject({
        assets: [{ id: 'ast_2' }],
        totalCount: 1,
      })
    })

    test('of many, far from both ends and by name', async () => {
      const { runSql } = opened()
      const count = 5_001
      await runSql(`
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
        insert into assets
          (id, organization_id, group_id, group_kind, provider, type, name, folded_name, status, ticket,
           created_at_ms, updated_at_ms, next_poll_at_ms)
        select 'ast_' || n, 'org_1', 'grp_1', 'default', 'vendorA', 'Image', 'No. ' || n || '.', 'NO. ' || n || '.',
          case when n % 1000 = 0 then 'failed' else 'active' end, '', n, n, n from numbers`)
      await runSql(`insert into asset_counts (organization_id, group_id, status, assets)
        values ('org_1', 'grp_1', 'active', ${count - 5}), ('org_1', 'grp_1', 'failed', 5)`)
      const shown = async (part: Partial<Query>) => {
        const { assets: found, totalCount } = await list({ limit: 2, sortOrder: 'asc', ...part })
        return [found.map(({ id }) => id), totalCount]
      }
      expect(await shown({})).toEqual([['ast_1', 'ast_2'], count])
      expect(await shown({ page: 1_251 })).toEqual([['ast_2501', 'ast_2502'], count])
      expect(await shown({ page: 2_501 })).toEqual([['ast_5001'], count])
      expect(await shown({ statuses: ['failed', 'processing'], page: 2 })).toEqual([
        ['ast_3000', 'ast_4000'],
        5,
      ])
      expect(await shown({ name: 'no. 5000' })).toEqual([['ast_5000'], 1])
      expect(await shown({ name: '00.', page: 2 })).toEqual([['ast_300', 'ast_400'], 50])
      expect(await shown({ name: 'dog' })).toEqual([[], 0])
      const together = await Promise.all([...'123456789'].map((digit) => shown({ name: `no. 500${digit}` })))
      expect(together.map(([, totalCount]) => totalCount)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0])
    })

    test('the stored counts equal the rows after any changes', async () => {
      for (const number of Array.from({ length: 12 }).keys()) {
        const id = `ast_${number}`
        await add({ id, groupId: number % 2 === 0 ? 'grp_1' : 'grp_p' })
        for (const status of ['active', 'failed', 'active', 'processing'] as const) {
          if (number % 3 > 0) await assets().move(sampleAssetMove(status, { id }))
        }
      }
      await expect(add({ id: 'ast_0' })).rejects.toThrow()
      expect(
        await opened().runSql(
          `select group_id, status, assets from asset_counts where assets > 0 order by group_id, status`,
        ),
      ).toEqual(
        await opened().runSql(
          `select group_id, status, count(*) as assets from assets group by group_id, status order by group_id, status`,
        ),
      )
    })
  })
}
