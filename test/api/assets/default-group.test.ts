import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectApiError } from '../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import { assetClientOf, itemsOf } from './call-assets.ts'

const GONE = {
  kind: 'status',
  status: 404,
  body: { ResponseMetadata: { RequestId: '1', Error: { Code: 'NotFound.group_id', Message: 'gone' } } },
} as const

describe('the default group', () => {
  let api: VideoApi
  /** Number of uploads that are held until all of them have arrived; then they go to the vendor together. */
  let crowd = { missing: 0, whole: Promise.withResolvers<void>() }
  beforeAll(async () => {
    api = await startVideoApi({
      assetDriver: (driver) => ({
        ...driver,
        async createAsset(asset) {
          if (crowd.missing > 0) {
            crowd.missing -= 1
            if (crowd.missing === 0) crowd.whole.resolve()
            await crowd.whole.promise
          }
          return driver.createAsset(asset)
        },
      }),
    })
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  const open = async () => assetClientOf(api, await api.openTenant())
  /** Requests that arrived at the vendor during an action. */
  const arrivedDuring = async (act: () => Promise<unknown>) => {
    const before = (await api.vendors.requests()).length
    await act()
    const after = await api.vendors.requests()
    return after.slice(before).map((line) => line.replace('vendor-a-assets ', ''))
  }

  test('is made once for thirty concurrent uploads, and not before them', async () => {
    const client = await open()
    const arrived = await arrivedDuring(async () => {
      await client.listAssets()
      await Promise.all(Array.from({ length: 30 }, () => client.make()))
      await client.make()
    })
    expect(arrived.filter((operation) => operation === 'create-group')).toHaveLength(1)
    expect(arrived.filter((operation) => operation === 'create-asset')).toHaveLength(31)
    expect(await client.listAssets()).toMatchObject({ body: { total_count: 31 } })
  })

  test('is made once more when the vendor lost it; its old assets stay in the list', async () => {
    const client = await open()
    const before = await client.make()
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'create-asset',
      times: 1,
      fault: GONE,
    })
    let after = ''
    const arrived = await arrivedDuring(async () => {
      after = await client.make()
    })
    expect(arrived).toEqual(['create-asset', 'create-group', 'create-asset'])
    expect(itemsOf(await client.listAssets())).toMatchObject([{ id: after }, { id: before }])
  })

  test('is made once more for twelve concurrent uploads when the vendor lost it', async () => {
    const client = await open()
    await client.make()
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'create-asset',
      times: 12,
      fault: GONE,
    })
    crowd = { missing: 12, whole: Promise.withResolvers() }
    const arrived = await arrivedDuring(() => Promise.all(Array.from({ length: 12 }, () => client.upload())))
    const made = arrived.filter((operation) => operation === 'create-group').length
    expect(made).toBe(1)
    await api.vendors.clearFaults()
    await client.make()
  })

  test('fails the upload when the vendor loses it a second time', async () => {
    const client = await open()
    await client.make()
    await api.vendors.breakDown({
      part: 'vendor-a-assets',
      operation: 'create-asset',
      times: 2,
      fault: GONE,
    })
    const arrived = await arrivedDuring(async () =>
      expectApiError(await client.upload(), { status: 503, code: 'provider_unavailable' }),
    )
    expect(arrived).toEqual(['create-asset', 'create-group', 'create-asset'])
  })
})

test('a request that waits for the group of another replica without success is refused', async () => {
  const api = await startVideoApi({ assetPatienceMs: 200 })
  const { organizationId } = api.tenant
  const nowMs = api.time.nowMs
  const claim = { organizationId, provider: 'vendorA', nowMs, leaseUntilMs: nowMs + 15_000 }
  expect(await api.store.assets.claimDefaultGroup({ ...claim, seenTicket: undefined })).toBe(true)
  const client = assetClientOf(api, api.tenant)
  expectApiError(await client.upload(), { status: 503, code: 'provider_unavailable' })
  // The process with the claim has died, and its lease ends.
  api.time.nowMs += 15_000
  await client.make()
  await api.close()
})
