import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError, textBody } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'
import type { Tenant } from '../tenants.ts'

const WHOLE = { balance: 100_000_000, held: 0 }

describe('DELETE /v1/video/generations/{task_id}', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ noticeBaseUrl: 'http://127.0.0.1:1' })
  })
  afterAll(() => api.close())

  const begin = async (words: string, more: object = {}) => {
    const tenant: Tenant = await api.openTenant()
    const client = clientOf(api, tenant)
    return { tenant, client, id: await client.make(textBody(words, more)) }
  }
  const expectDeleted = async (answer: Promise<{ status: number; body: object }>, id: string) =>
    expect(await answer).toMatchObject({
      status: 200,
      body: { id, object: 'video.generation.task', deleted: true },
    })

  test('cancels a queued task: it leaves the list, Get still shows it, a second DELETE finds nothing', async () => {
    const { tenant, client, id } = await begin('')
    await expectDeleted(client.delete(id), id)
    expect(await client.list()).toMatchObject({ body: { data: [] } })
    expect(await client.get(id)).toMatchObject({
      status: 200,
      body: { id, status: 'cancelled', completed_at: expect.any(Number) },
    })
    expectApiError(await client.delete(id), { status: 404, code: 'task_not_found' })
    expect(await api.moneyOf(tenant)).toEqual(WHOLE)
  })

  test('owes the callback of a cancelled task', async () => {
    api.callbacksDue.count = 0
    const { client, id } = await begin('', { callback_url: 'https://client.example/a' })
    await expectDeleted(client.delete(id), id)
    expect(api.callbacksDue.count).toBe(1)
    await api.expectSound()
  })

  test('a task whose success was not polled yet is settled, and gone', async () => {
    const { tenant, client, id } = await begin('[instant]')
    await expectDeleted(client.delete(id), id)
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000 - 762_300, held: 0 })
    expectApiError(await client.get(id), { status: 404, code: 'task_not_found' })
    expectApiError(await client.delete(id), { status: 404, code: 'task_not_found' })
    expect(await client.list()).toMatchObject({ body: { data: [] } })
  })

  test.each(['[instant]', '[fail] [instant]'])('a task with a known end is gone: %s', async (words) => {
    const { tenant, client, id } = await begin(words)
    const { body } = await client.get(id)
    expect(body.completed_at).toEqual(expect.any(Number))
    const money = await api.moneyOf(tenant)
    await expectDeleted(client.delete(id), id)
    expect(await api.moneyOf(tenant)).toEqual(money)
    expectApiError(await client.get(id), { status: 404, code: 'task_not_found' })
    expect(await client.list()).toMatchObject({ body: { data: [] } })
  })

  test('a task that the vendor cancelled leaves the list too, although the vendor does not delete it', async () => {
    const { client, id } = await begin('[cancelled]')
    api.passSeconds(120)
    await expectDeleted(client.delete(id), id)
    expect(await client.list()).toMatchObject({ body: { data: [] } })
  })

  test('a task that the vendor has forgotten is cancelled', async () => {
    const { tenant, client, id } = await begin('[gone]')
    api.passSeconds(120)
    await expectDeleted(client.delete(id), id)
    expect(await client.get(id)).toMatchObject({ body: { status: 'cancelled' } })
    expect(await api.moneyOf(tenant)).toEqual(WHOLE)
  })

  test('of several simultaneous deletes one succeeds, and nothing happens twice', async () => {
    for (const words of ['', '[instant]']) {
      const { tenant, client, id } = await begin(words)
      const answers = await Promise.all(Array.from({ length: 8 }, () => client.delete(id)))
      const statuses = answers.map(({ status }) => status).toSorted()
      expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 404)])
      expectApiError(await client.delete(id), { status: 404, code: 'task_not_found' })
      const { balance, held } = await api.moneyOf(tenant)
      expect({ balance, held }).toEqual(words === '' ? WHOLE : { balance: 100_000_000 - 762_300, held: 0 })
    }
    await api.expectSound()
  })
})
