import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIds } from '../../../src/adapters/system/ids.ts'
import { eraseTenant } from '../../../src/app/access/erase-tenant.ts'
import { removeCopies } from '../../../src/app/assets/remove-copies.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { clientOf, expectApiError, TASKS_PATH } from '../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import { assetClientOf } from './call-assets.ts'

describe('after the erasure of a person', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ assetPatienceMs: 3_000 })
  })
  afterAll(() => api.close())

  const clock = { nowMs: () => api.time.nowMs, monotonicMs: () => api.time.nowMs }
  const eraser = () =>
    eraseTenant({
      ...{ erasures: api.store.erasures, deletableProviders: ['vendorA'], clock, newId: createIds(clock) },
      ...{ cache: { publish: async () => {} } as never, log: SILENT_LOG, actor: 'cli' },
      ...{ consentUrlOf: () => '', stored: {} as never },
    })
  const removals = () => {
    const { erasures } = api.store
    return removeCopies({ erasures, vendor: api.vendors.assetVendor, clock, log: SILENT_LOG })
  }
  const deletions = async () => (await api.vendors.requests()).filter((line) => line.includes('delete'))

  test('POST /v1/video/generations with the portrait is 400, an upload into the group too, and an earlier task still succeeds', async () => {
    const tenant = await api.openTenant()
    const client = assetClientOf(api, tenant)
    const groupId = await client.verify(4)
    const id = await client.makeActive({ group_id: groupId })
    const portrait = { type: 'image_url', image_url: { url: `asset://${id}` }, role: 'reference_image' }
    const create = (text: string) =>
      client.call('POST', TASKS_PATH, {
        body: { model: 'vendorA/gen-2.0', content: [{ type: 'text', text }, portrait] },
      })
    const before = await create('a walk')
    expect(before).toMatchObject({ status: 200 })
    const shown = async () =>
      (await api.store.tasks.listForOperator({ groupId, limit: 9 })).map((task) => task.id)
    expect(await shown()).toEqual([before.body.id])

    await api.vendors.breakDown({
      ...{ part: 'vendor-a-assets', operation: 'delete-asset', times: 1 },
      fault: { kind: 'status', status: 500 },
    })
    const erased = await eraser().erasePerson({ groupId, organizationId: tenant.organizationId })
    expect(erased).toMatchObject({ isQueued: true, isShared: false, assets: [{ id }] })
    expect(await shown()).toEqual([])

    expectApiError(await create('again'), { status: 400, code: 'asset_not_usable' })
    expect(await client.getAsset(id)).toMatchObject({ status: 404 })
    expectApiError(await client.upload({ ...PORTRAIT, group_id: groupId }), {
      ...{ status: 400, code: 'group_id_error' },
    })
    // The vendor fails once; the portrait stays queued, and its group waits for it.
    await expect
      .poll(async () => {
        api.time.nowMs += 10_000
        await removals()()
        return deletions()
      })
      .toEqual([
        'vendor-a-assets delete-asset',
        'vendor-a-assets delete-asset',
        'vendor-a-assets delete-group',
      ])
    api.passSeconds(3_600)
    expect(await clientOf(api, tenant).get(String(before.body.id))).toMatchObject({
      body: { status: 'succeeded' },
    })
    await api.expectSound()
  })
})

const PORTRAIT = { url: 'https://media.example/face-instant.png', asset_type: 'Image' }
