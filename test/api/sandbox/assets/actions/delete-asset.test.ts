import { expect, it } from 'vitest'
import { createAsset, createGroup, openAssetVendor, refusal } from '../../asset-client.ts'

it('DeleteAsset 200: the asset is gone, and a second call is 404', async () => {
  const vendor = await openAssetVendor()
  const GroupId = await createGroup(vendor)
  const Id = await createAsset(vendor, { GroupId })
  expect(await vendor.call('GetAsset', { Id })).toMatchObject({ status: 200 })
  expect(await vendor.call('DeleteAsset', { Id })).toMatchObject({ status: 200, body: { Result: {} } })
  for (const action of ['GetAsset', 'DeleteAsset'])
    expect(await vendor.call(action, { Id })).toMatchObject({
      status: 404,
      body: refusal('NotFound.asset_id'),
    })
})

it('DeleteAssetGroup 200: its assets are gone and no new one can be made; a second call is 404', async () => {
  const vendor = await openAssetVendor()
  const GroupId = await createGroup(vendor)
  const Id = await createAsset(vendor, { GroupId })
  expect(await vendor.call('DeleteAssetGroup', { Id: GroupId })).toMatchObject({ status: 200 })
  expect(await vendor.call('GetAsset', { Id })).toMatchObject({ status: 404 })
  expect(await vendor.call('ListAssets', { Filter: { GroupIds: [GroupId] } })).toMatchObject({
    body: { Result: { TotalCount: 0 } },
  })
  const again = { GroupId, URL: 'https://m.example/a.png', AssetType: 'Image' }
  expect(await vendor.call('CreateAsset', again)).toMatchObject({
    status: 404,
    body: refusal('NotFound.group_id'),
  })
  expect(await vendor.call('DeleteAssetGroup', { Id: GroupId })).toMatchObject({ status: 404 })
})

it.each(['DeleteAsset', 'DeleteAssetGroup'])('%s 400: no id; 404: an unknown id', async (action) => {
  const { call } = await openAssetVendor()
  expect(await call(action, {})).toMatchObject({ status: 400, body: refusal('InvalidParameter.Id') })
  expect(await call(action, { Id: 'x' })).toMatchObject({ status: 404 })
})
