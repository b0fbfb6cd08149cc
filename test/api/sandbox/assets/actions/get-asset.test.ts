import { expect, it } from 'vitest'
import {
  createAsset,
  createGroup,
  openAssetVendor,
  personGroup,
  readAsset,
  refusal,
} from '../../asset-client.ts'
import { textAt } from '../../open-vendors.ts'

it('200: an asset is processed, then active', async () => {
  const vendor = await openAssetVendor()
  const GroupId = await createGroup(vendor)
  const Id = await createAsset(vendor, { GroupId, Name: 'a cat' })
  const shown = {
    Id,
    Name: 'a cat',
    AssetType: 'Image',
    GroupId,
    CreateTime: '2030-01-02T00:00:00Z',
    ProjectName: 'default',
  }
  vendor.vendors.passRealMs(499)
  expect(await readAsset(vendor, Id)).toEqual({
    ...shown,
    Status: 'Processing',
    UpdateTime: '2030-01-02T00:00:00Z',
  })
  vendor.vendors.passRealMs(1_000)
  expect(await readAsset(vendor, Id)).toEqual({
    ...shown,
    Status: 'Active',
    URL: expect.stringMatching(/\/vendor-a-assets\/media\/landscape-[0-9a-f]{6}\.png\?issued=/),
    UpdateTime: '2030-01-02T00:00:00Z',
  })
})

it('200: an id is short enough for a column of a table', async () => {
  const vendor = await openAssetVendor()
  const id = await createAsset(vendor, {
    Name: 'x'.repeat(64),
    URL: 'https://example.com/untranscodable.mp4',
  })
  expect(id.length).toBeLessThan(400)
})

it('200: a restart in the middle changes nothing', async () => {
  const vendor = await openAssetVendor()
  const id = await createAsset(vendor, { Name: 'cat', URL: 'https://example.com/toolarge.png' })
  const before = await readAsset(vendor, id)
  const again = await vendor.reopen()
  expect(await readAsset(again, id)).toEqual(before)
  again.vendors.passSeconds(30)
  expect(await readAsset(again, id)).toMatchObject({ Status: 'Failed', Error: { Code: 'FileSizeTooLarge' } })
})

it.each([
  ['Image', 'image/png', /landscape/],
  ['Video', 'video/mp4', /clip/],
  ['Audio', 'audio/wav', /tone/],
])('200: the link of a %s serves %s for twelve hours', async (AssetType, contentType, name) => {
  const vendor = await openAssetVendor()
  const id = await createAsset(vendor, { AssetType, URL: 'https://example.com/instant' })
  const link = textAt({ body: await readAsset(vendor, id) }, 'URL')
  expect(link).toMatch(name)
  vendor.vendors.passRealMs(12 * 3_600_000 - 1)
  const good = await fetch(link)
  expect([good.status, good.headers.get('content-type')]).toEqual([200, contentType])
  expect((await good.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  vendor.vendors.passRealMs(1)
  expect((await fetch(link)).status).toBe(403)
  const fresh = textAt({ body: await readAsset(vendor, id) }, 'URL')
  expect((await fetch(fresh)).status).toBe(200)
  expect((await fetch(fresh.replace(/signature=./, 'signature=x'))).status).toBe(403)
  expect((await fetch(fresh.replace(/-[0-9a-f]{6}\./, '-000000.'))).status).toBe(403)
})

it('200: an image of a person shows a portrait', async () => {
  const vendor = await openAssetVendor()
  const URL = 'https://example.com/instant.png'
  const id = await createAsset(vendor, { URL, GroupId: await personGroup(vendor) })
  expect(await readAsset(vendor, id)).toMatchObject({ URL: expect.stringContaining('/media/portrait-') })
})

it('400 without an id, 404 for an unknown id or project', async () => {
  const vendor = await openAssetVendor()
  const id = await createAsset(vendor)
  expect(await vendor.call('GetAsset', {})).toMatchObject({
    status: 400,
    body: refusal('InvalidParameter.Id'),
  })
  const wrong = [{ Id: 'asset-1' }, { Id: id.slice(0, -1) }, { Id: id, ProjectName: 'other' }]
  for (const body of wrong) {
    expect(await vendor.call('GetAsset', body)).toMatchObject({
      status: 404,
      body: refusal('NotFound.asset_id'),
    })
  }
})
