import { beforeEach, describe, expect, it } from 'vitest'
import {
  type AssetVendor,
  createAsset,
  createGroup,
  openAssetVendor,
  personGroup,
  readAsset,
  refusal,
} from '../../asset-client.ts'

async function list({ call }: AssetVendor, body: object = {}) {
  const answer = await call('ListAssets', body)
  expect(answer.status).toBe(200)
  const { Items, ...page } = Object(answer.body).Result
  return { names: Items.map(({ Name }: { Name: string }) => Name), items: Items, page }
}

let vendor: AssetVendor
let groupId: string
let personId: string

/** Makes four assets; at the end `Alpha` and `gamma` are active, `beta` has failed, `delta` is processing. */
async function fill() {
  vendor = await openAssetVendor()
  groupId = await createGroup(vendor)
  personId = await personGroup(vendor)
  const make = async (Name: string, GroupId: string, file: string) => {
    await createAsset(vendor, { Name, GroupId, URL: `https://example.com/${file}.png` })
    vendor.vendors.passRealMs(1_000)
  }
  await make('Alpha', groupId, 'slow')
  await make('beta', groupId, 'moderated')
  await make('gamma', personId, 'face')
  vendor.vendors.passRealMs(10_000)
  await make('delta', groupId, 'stuck')
}

describe('200', () => {
  beforeEach(() => fill())

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['delta', 'gamma', 'beta', 'Alpha']],
    ['one status', { Filter: { Statuses: ['Active'] } }, ['gamma', 'Alpha']],
    ['two statuses', { Filter: { Statuses: ['Failed', 'Processing'] } }, ['delta', 'beta']],
    ['a piece of a name', { Filter: { Name: 'AL' } }, ['Alpha']],
    ['a letter', { Filter: { Name: 'm' } }, ['gamma']],
    ['virtual groups', { Filter: { GroupType: 'AIGC' } }, ['delta', 'beta', 'Alpha']],
    ['persons', { Filter: { GroupType: 'LivenessFace' } }, ['gamma']],
    ['an unknown group', { Filter: { GroupIds: ['group-1'] } }, []],
    ['another project', { ProjectName: 'other' }, []],
    ['the oldest first', { SortBy: 'CreateTime', SortOrder: 'Asc' }, ['Alpha', 'beta', 'gamma', 'delta']],
    ['by change', { SortBy: 'UpdateTime' }, ['delta', 'Alpha', 'gamma', 'beta']],
    ['the second page', { PageNumber: 2, PageSize: 3 }, ['Alpha']],
    ['a page behind the last', { PageNumber: 9, PageSize: 3 }, []],
  ])('%s', async (_what, body, names) => {
    expect((await list(vendor, body)).names).toEqual(names)
  })

  it('by group, and sorted by group', async () => {
    expect((await list(vendor, { Filter: { GroupIds: [personId] } })).names).toEqual(['gamma'])
    expect((await list(vendor, { Filter: { GroupIds: [personId, groupId] } })).names).toHaveLength(4)
    const { items } = await list(vendor, { SortBy: 'GroupId', SortOrder: 'Asc' })
    const groups = items.map(({ GroupId }: { GroupId: string }) => GroupId)
    expect(groups).toEqual(groups.toSorted())
  })

  it('counts all, and shows each as a read does', async () => {
    const { page, items } = await list(vendor, { PageSize: 1, Filter: { Statuses: ['Active'] } })
    expect(page).toEqual({ TotalCount: 2, PageNumber: 1, PageSize: 1 })
    expect(items).toEqual([await readAsset(vendor, items[0].Id)])
  })
})

it('200: ten on a page unless told otherwise', async () => {
  const filled = await openAssetVendor()
  const GroupId = await createGroup(filled)
  for (let count = 0; count < 11; count += 1) await createAsset(filled, { GroupId, Name: `n${count}` })
  const { names, page } = await list(filled)
  expect(names).toEqual(['n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1'])
  expect(page).toEqual({ TotalCount: 11, PageNumber: 1, PageSize: 10 })
})

it('200: after a restart the list holds what was read since', async () => {
  const before = await openAssetVendor()
  const id = await createAsset(before, { Name: 'known' })
  await createAsset(before)
  const after = await before.reopen()
  expect((await list(after)).names).toEqual([])
  await readAsset(after, id)
  expect((await list(after)).names).toEqual(['known'])
})

it.each<[string, object]>([
  ['PageNumber', { PageNumber: 0 }],
  ['PageNumber', { PageNumber: '1' }],
  ['PageSize', { PageSize: 101 }],
  ['PageSize', { PageSize: 1.5 }],
  ['SortBy', { SortBy: 'create_time' }],
  ['SortOrder', { SortOrder: 'asc' }],
  ['Filter', { Filter: [] }],
  ['Filter.Statuses', { Filter: { Statuses: ['active'] } }],
  ['Filter.Statuses', { Filter: { Statuses: 'Active' } }],
  ['Filter.GroupIds', { Filter: { GroupIds: [1] } }],
  ['Filter.GroupType', { Filter: { GroupType: 'any' } }],
  ['Filter.Name', { Filter: { Name: 1 } }],
  ['Filter.Status', { Filter: { Status: 'Active' } }],
  ['Page', { Page: 1 }],
])('400 InvalidParameter.%s: %j', async (name, body) => {
  const { call } = await openAssetVendor()
  expect(await call('ListAssets', body)).toMatchObject({
    status: 400,
    body: refusal(`InvalidParameter.${name}`),
  })
})
