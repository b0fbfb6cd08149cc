import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assetClientOf, visit } from '../assets/call-assets.ts'
import { clientOf } from './call-api.ts'
import { setStandIns } from './set-stand-ins.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'

const ADMIN_KEY = 'an-admin-key-of-the-tests'
const BALANCE = 100_000_000
const WITHHELD = { withheld: 'consent_revoked' }

describe('tasks with a person who revoked the consent', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ noticeBaseUrl: 'http://127.0.0.1:1', adminKey: ADMIN_KEY })
  })
  afterAll(() => api.close())

  /** A verified person of a new organization, with a portrait. */
  async function open() {
    const tenant = await api.openTenant()
    const assets = assetClientOf(api, tenant)
    const { location } = await visit(await assets.scan({ person: 6 }))
    const reported = new URL(String(location)).searchParams
    const url = String(reported.get('consent_url'))
    const id = await assets.makeActive({ group_id: reported.get('group_id') })
    const portrait = { type: 'image_url', image_url: { url: `asset://${id}` }, role: 'reference_image' }
    const content = [{ type: 'text', text: 'a walk' }, portrait]
    return {
      tenant,
      client: clientOf(api, tenant),
      body: { model: 'vendorA/gen-2.0', content, callback_url: 'https://client.example/done' },
      async revoke() {
        const action = /action="([^"]+)"/.exec((await visit(url)).text)?.[1]
        expect(await fetch(`${url}${action}`, { method: 'POST' })).toMatchObject({ status: 200 })
      },
    }
  }

  async function admin(path: string) {
    const answer = await fetch(`${api.url}/admin/v1${path}`, { headers: { 'x-admin-key': ADMIN_KEY } })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  test('GET /v1/video/generations/{task_id} 200 cancelled: the vendor had not begun, and all 762300 micros are released', async () => {
    const { tenant, client, body, revoke } = await open()
    const id = await client.make(body)
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 762_300 })
    await revoke()
    api.callbacksDue.count = 0
    await api.sweep('vendorA')
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
    expect(api.callbacksDue.count).toBe(1)
    expect((await api.vendors.requests()).filter((line) => line === 'vendor-a delete')).toHaveLength(1)
    expect(await api.store.audit.list({ subject: id, limit: 9 })).toMatchObject([
      { action: 'task.cancel', actor: 'gateway', detail: { status: 'queued', reason: 'consent_revoked' } },
    ])
    await api.expectSound()
  })

  test('GET /v1/video/generations/{task_id} 200 succeeded: the vendor had begun, 762300 micros are charged, and no link is shown or kept', async () => {
    const { tenant, client, body, revoke } = await open()
    const id = await client.make(body)
    api.passSeconds(30)
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
    await revoke()
    await api.sweep('vendorA')
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
    api.passSeconds(3_600)
    for (const _twice of [1, 2]) {
      const { body: shown } = await client.get(id)
      expect(shown).toMatchObject({ status: 'succeeded', completed_at: expect.any(Number) })
      expect(shown.content).toEqual(WITHHELD)
    }
    expect(await api.store.tasks.findWhole(id)).toMatchObject({ encryptedContent: null })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE - 762_300, held: 0 })
    expect(await admin(`/tasks/${id}`)).toMatchObject({
      ...{ status: 200, body: { status: 'succeeded', charged_micros: 762_300 } },
    })
    expect((await admin(`/tasks/${id}`)).body.withheld_at).toMatch(/^2030-/)
    expect(await admin(`/tasks/${id}/content`)).toMatchObject({
      ...{ status: 410, body: { error: expect.stringContaining('withheld') } },
    })
    await api.expectSound()
  })

  test('GET /v1/video/generations/{task_id} 200 succeeded: a finished video is withheld too, and tasks without the person are not', async () => {
    const { client, body, revoke } = await open()
    const finished = await client.make(body)
    const other = await client.make({ ...body, content: body.content.slice(0, 1) })
    api.passSeconds(3_600)
    expect(await client.get(finished)).toMatchObject({ body: { status: 'succeeded' } })
    await revoke()
    await api.sweep('vendorA')
    expect((await client.get(finished)).body.content).toEqual(WITHHELD)
    expect(await client.get(other)).toMatchObject({
      ...{ body: { status: 'succeeded', content: { video_url: expect.any(String) } } },
    })
  })

  test('GET /v1/video/generations/{task_id} 200: a vendor without an answer is called again by the next poll', async () => {
    const { tenant, client, body, revoke } = await open()
    const id = await client.make(body)
    await revoke()
    const fault = { kind: 'status', status: 500 } as const
    await api.vendors.breakDown({ part: 'vendor-a', operation: 'delete', times: 1, fault })
    await api.sweep('vendorA')
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 762_300 })
    expect(api.lines).toContainEqual(expect.objectContaining({ event: 'task.withdrawal_failed' }))
    api.time.nowMs += 10
    await api.store.tasks.bringForward({
      ...{ provider: 'vendorA', nowMs: api.time.nowMs, farthestMs: api.time.nowMs },
    })
    await api.sweep('vendorA')
    expect(await client.get(id)).toMatchObject({ body: { status: 'cancelled' } })
    expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
  })

  describe('with a stand-in of the same vendor', () => {
    beforeAll(() => setStandIns(api, { 'vendorA/gen-2.0': ['vendorA/gen-2.0-fast'] }))

    const creates = async () => (await api.vendors.requests()).filter((line) => line === 'vendor-a create')
    const attemptsOf = async (id: string) =>
      (await api.store.tasks.listAttempts(id)).map(({ state, reason }) => `${state} ${reason}`)
    const failAtA = () =>
      api.vendors.breakDown({
        ...{ part: 'vendor-a', operation: 'get', times: 1 },
        fault: { kind: 'status', status: 200, body: { status: 'failed', error: { code: 'Oops' } } },
      })

    test('GET /v1/video/generations/{task_id} 200 failed: the waiting task is not sent to its stand-in, and all 762300 micros are released', async () => {
      const { tenant, client, body, revoke } = await open()
      const id = await client.make(body)
      await failAtA()
      expect(await client.get(id)).toMatchObject({ body: { status: 'queued' } })
      expect(await attemptsOf(id)).toEqual(['failed generation_failed', 'open null'])
      expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 762_300 })
      const before = await creates()
      await revoke()
      await api.sweep('vendorA')
      expect(await client.get(id)).toMatchObject({
        body: { status: 'failed', error: { code: 'generation_failed' } },
      })
      expect(await attemptsOf(id)).toEqual(['failed generation_failed', 'refused consent_revoked'])
      expect(await creates()).toEqual(before)
      expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
      expect(await api.store.tasks.findRequest(id)).toBeUndefined()
      await api.expectSound()
    })

    test('GET /v1/video/generations/{task_id} 200 failed: revoked before its vendor failed it, the task is not handed over, and 0 micros are charged', async () => {
      const { tenant, client, body, revoke } = await open()
      const id = await client.make(body)
      api.passSeconds(30)
      expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
      await revoke()
      await failAtA()
      expect(await client.get(id)).toMatchObject({ body: { status: 'failed' } })
      expect(await attemptsOf(id)).toEqual([])
      expect(await api.moneyOf(tenant)).toEqual({ balance: BALANCE, held: 0 })
      await api.expectSound()
    })
  })
})
