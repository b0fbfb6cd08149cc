import { expect, it } from 'vitest'
import { createAsset, createGroup, openAssetVendor, refusal } from '../../asset-client.ts'

it('200: every group has an id of its own', async () => {
  const vendor = await openAssetVendor()
  const ids = [await createGroup(vendor), await createGroup(vendor)]
  expect(ids[0]).toMatch(/^group-[\w-]{20,120}$/)
  expect(ids[0]).not.toBe(ids[1])
})

it('200: a group outlives a restart', async () => {
  const vendor = await openAssetVendor()
  const GroupId = await createGroup(vendor)
  expect(await createAsset(await vendor.reopen(), { GroupId })).toMatch(/^asset-/)
})

it.each<[string, unknown]>([
  ['', '[]'],
  ['', 'not JSON'],
  ['.Name', { GroupType: 'AIGC' }],
  ['.Name', { Name: '', GroupType: 'AIGC' }],
  ['.Name', { Name: 'x'.repeat(65), GroupType: 'AIGC' }],
  ['.GroupType', { Name: 'a' }],
  ['.GroupType', { Name: 'a', GroupType: 'LivenessFace' }],
  ['.ProjectName', { Name: 'a', GroupType: 'AIGC', ProjectName: 1 }],
  ['.Colour', { Name: 'a', GroupType: 'AIGC', Colour: 'red' }],
])('400 InvalidParameter%s: %j', async (name, body) => {
  const { call } = await openAssetVendor()
  expect(await call('CreateAssetGroup', body)).toMatchObject({
    status: 400,
    body: refusal(`InvalidParameter${name}`),
  })
})
