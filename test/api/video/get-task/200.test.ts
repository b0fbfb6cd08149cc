import type { JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, textBody, textBodyB } from '../call-api.ts'
import { START_MS, startVideoApi, type VideoApi } from '../start-video-api.ts'

const WAITED = 30
const DONE = 90

describe('GET /v1/video/generations/{task_id}', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    // Long enough that a slow machine answers in time, short enough to wait for once.
    api = await startVideoApi({ syncPatienceMs: 3_000 })
    client = clientOf(api, api.tenant)
  })
  afterEach(() => api.vendors.clearFaults())
  afterAll(() => api.close())

  test.each([
    ['family A', textBody('', { metadata: { a: [1] } })],
    ['family B', textBodyB('', { metadata: { a: [1] } })],
  ])('follows a task of %s to its video', async (_name, body) => {
    api.time.nowMs = START_MS
    const id = await client.make(body)
    const created = START_MS / 1_000
    const head = { id, object: 'video.generation.task', created, metadata: { a: [1] } }

    const { body: queued } = await client.get(id)
    expect(queued).toMatchObject({ ...head, status: 'queued', updated_at: created })
    expect(Object.keys(queued)).not.toEqual(expect.arrayContaining(['completed_at']))
    api.passSeconds(WAITED)
    const { body: running } = await client.get(id)
    expect(running).toMatchObject({ ...head, status: 'running' })
    expect(Object.keys(running)).not.toContain('content')
    api.passSeconds(DONE)
    const { status, body: done } = await client.get(id)
    expect({ status, body: done }).toEqual({
      status: 200,
      body: {
        ...head,
        model: expect.any(String),
        status: 'succeeded',
        updated_at: expect.any(Number),
        completed_at: created + 2,
        content: expect.objectContaining({ video_url: expect.stringMatching(/^http/) }),
      },
    })
    const clip = await fetch(String(videoUrlOf(done)))
    expect(
      Buffer.from(await clip.arrayBuffer())
        .subarray(4, 8)
        .toString(),
    ).toBe('ftyp')
  })

  test('settles a succeeded task once, and a new link changes nothing else', async () => {
    const tenant = await api.openTenant()
    const mine = clientOf(api, tenant)
    const id = await mine.make(textBody('[instant]'))
    const first = await mine.get(id)
    const charged = { balance: 100_000_000 - 762_300, held: 0 }
    expect(await api.moneyOf(tenant)).toEqual(charged)
    api.passSeconds(600)
    const second = await mine.get(id)
    expect(second.body).toEqual({
      ...first.body,
      updated_at: expect.any(Number),
      content: expect.any(Object),
    })
    expect(videoUrlOf(second.body)).not.toBe(videoUrlOf(first.body))
    expect(await api.moneyOf(tenant)).toEqual(charged)
    await api.expectSound()
  })

  test.each([
    ['[fail]', 'generation_failed'],
    ['[moderate-late]', 'content_policy_violation'],
    ['[bad-media]', 'invalid_parameter'],
    ['[expire]', 'task_expired'],
  ])('shows why a task failed: %s', async (word, code) => {
    const tenant = await api.openTenant()
    const mine = clientOf(api, tenant)
    const id = await mine.make(textBody(word))
    api.passSeconds(WAITED + DONE)
    const { body } = await mine.get(id)
    expect(body).toMatchObject({
      status: 'failed',
      completed_at: expect.any(Number),
      error: { code, message: expect.any(String), type: 'video_generation_error', param: null },
    })
    expect(Object.keys(body)).not.toContain('content')
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
    const asked = (await api.vendors.requests()).length
    expect((await mine.get(id)).body).toEqual(body)
    expect((await api.vendors.requests()).length).toBe(asked)
  })

  test('shows a task as cancelled when the vendor cancelled it', async () => {
    const id = await client.make(textBody('[cancelled]'))
    api.passSeconds(WAITED + DONE)
    const { body } = await client.get(id)
    expect(body).toMatchObject({ status: 'cancelled', completed_at: expect.any(Number) })
  })

  test.each<[string, Parameters<VideoApi['vendors']['breakDown']>[0]['fault']]>([
    ['is broken', { kind: 'status', status: 500 }],
    ['is busy', { kind: 'status', status: 429 }],
    ['talks nonsense', { kind: 'garbage' }],
    ['hangs up', { kind: 'lose-answer' }],
    ['says nothing', { kind: 'hang' }],
  ])('shows the stored state when the vendor %s', async (_name, fault) => {
    const id = await client.make(textBody())
    api.passSeconds(WAITED)
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
    api.passSeconds(DONE)
    await api.vendors.breakDown({ operation: 'get', times: 1, fault })
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'running' } })
  })

  test('shows the stored state when the vendor has forgotten the task', async () => {
    const id = await client.make(textBody('[gone]'))
    api.passSeconds(WAITED)
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
    api.passSeconds(DONE)
    expect(await client.get(id)).toMatchObject({ status: 200, body: { status: 'running' } })
  })

  test('announces a callback once, for the family without notices', async () => {
    api.callbacksDue.count = 0
    const ids = [
      await client.make(textBody('[instant]', { callback_url: 'https://client.example/a' })),
      await client.make(textBodyB('[instant]', { callback_url: 'https://client.example/b' })),
    ]
    for (const id of [...ids, ...ids]) {
      const { body } = await client.get(id)
      expect(body).toMatchObject({ status: 'succeeded' })
      expect(JSON.stringify(body)).not.toContain('client.example')
    }
    expect(api.callbacksDue.count).toBe(1)
    await api.expectSound()
  })

  test('never goes back to a status it has left', async () => {
    const id = await client.make(textBody())
    api.passSeconds(WAITED)
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
    api.passSeconds(-WAITED)
    expect(await client.get(id)).toMatchObject({ body: { status: 'running' } })
  })
})

function videoUrlOf({ content }: JsonObject): unknown {
  return typeof content === 'object' && content !== null ? Reflect.get(content, 'video_url') : undefined
}
