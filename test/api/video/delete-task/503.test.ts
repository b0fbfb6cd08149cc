import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody } from '../call-api.ts'
import { losingTasks } from '../lost-tasks.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

describe('DELETE /v1/video/generations/{task_id}', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each([
    ['get', 'queued', ''],
    ['delete', 'queued', ''],
    ['delete', 'succeeded', '[instant]'],
  ])(
    'nothing changes while the vendor does not answer a %s of a %s task',
    async (operation, status, words) => {
      const id = await client.make(textBody(words))
      await client.get(id)
      await api.vendors.breakDown({ operation, times: 1, fault: { kind: 'status', status: 500 } })
      expectApiError(await client.delete(id), { status: 503, code: 'provider_unavailable' })
      expect(await client.get(id)).toMatchObject({ status: 200, body: { status } })
      expect(await client.delete(id)).toMatchObject({ status: 200 })
    },
  )

  test('the provider is no longer configured', async () => {
    const bare = await startVideoApi()
    try {
      const mine = clientOf(bare, bare.tenant)
      const id = await mine.make(textBody())
      bare.withdraw('vendorA')
      expectApiError(await mine.delete(id), { status: 503, code: 'provider_not_configured' })
      expect(await mine.get(id)).toMatchObject({ status: 200, body: { status: 'queued' } })
    } finally {
      await bare.close()
    }
  })

  test('deleteTask 503: the store is unreachable; the vendor is not asked, and 762,300 micros stay held', async () => {
    const { state, around } = losingTasks()
    const fresh = await startVideoApi({ around })
    onTestFinished(() => fresh.close())
    const tenant = await fresh.openTenant()
    const mine = clientOf(fresh, tenant)
    const id = await mine.make(textBody())
    const before = await fresh.vendors.requests()
    state.isAway = true
    expectApiError(await mine.delete(id), { status: 503, code: 'store_unavailable' })
    expect(await fresh.vendors.requests()).toEqual(before)
    expect(await fresh.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 })
    state.isAway = false
    expect(await mine.delete(id)).toMatchObject({ status: 200 })
    expect(await fresh.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  })
})
