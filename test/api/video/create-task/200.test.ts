import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, clientOf, TASKS_PATH, textBody, textBodyB } from '../call-api.ts'
import { START_MS, startVideoApi, type VideoApi } from '../start-video-api.ts'

const IMAGE = { type: 'image_url', image_url: { url: 'https://media.example/a.png' } }
const VIDEO = { type: 'video_url', video_url: { url: 'https://media.example/a.mp4' } }
const AUDIO = { type: 'audio_url', audio_url: { url: 'https://media.example/a.mp3' } }
const TEXT = { type: 'text', text: 'a cat' }

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each(['vendorA/gen-2.0', 'vendorA/gen-2.0-fast', 'vendorB/gen-v4-std', 'vendorB/gen-v4-fast'])(
    'makes a task of %s',
    async (model) => {
      const { status, body } = await client.create({ model, content: [TEXT] })
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          id: expect.stringMatching(/^task_[0-9a-f]{32}$/),
          object: 'video.generation.task',
          created: START_MS / 1_000,
          model,
          status: 'queued',
          metadata: {},
        },
      })
    },
  )

  test.each<[string, string, object]>([
    [
      'image-to-video of family A',
      'vendorA/gen-2.0',
      { content: [TEXT, { ...IMAGE, role: 'reference_image' }] },
    ],
    ['audio-driven', 'vendorA/gen-2.0', { content: [TEXT, IMAGE, { ...AUDIO, role: 'reference_audio' }] }],
    ['image-to-video of family B', 'vendorB/gen-v4-std', { content: [TEXT, IMAGE] }],
    ['omni-video', 'vendorB/gen-v4-std', { content: [TEXT, { ...VIDEO, tag: 'v' }, { ...IMAGE, tag: 'i' }] }],
    ['reference', 'vendorB/gen-v3', { content: [TEXT, IMAGE] }],
    ['extension', 'vendorB/gen-v3', { content: [TEXT, { ...VIDEO, role: 'prefix_video' }] }],
    [
      'cutshot',
      'vendorB/gen-v3',
      {
        content: [
          { ...VIDEO, role: 'prefix_video' },
          { ...TEXT, role: 'cut_type' },
        ],
      },
    ],
    ['restyling', 'vendorB/gen-v3', { content: [VIDEO, { ...TEXT, role: 'style_name' }] }],
  ])('takes %s', async (_name, model, more) => {
    expect(await client.create({ model, ...more })).toMatchObject({ status: 200, body: { status: 'queued' } })
  })

  test('accepts every option, and shows metadata but never the callback address', async () => {
    const metadata = { order: { id: 7 }, tags: ['a', null], __proto__x: 1 }
    const body = textBody('', {
      duration: 8,
      ratio: ' 9:16 ',
      resolution: '1080p',
      seed: 1,
      framespersecond: 24,
      generate_audio: true,
      service_tier: ' flex ',
      callback_url: 'https://client.example/done',
      execution_expires_after: 3_600,
      metadata,
      something: 'else',
    })
    const created = await client.create(body)
    expect(created).toMatchObject({ status: 200, body: { metadata } })
    expect(created.headers.get('x-sluice-ignored')).toBe('something')
    expect(Object.keys(created.body)).not.toContain('callback_url')
    const stored = await api.store.tasks.find({ id: String(created.body.id), keyId: api.tenant.keyId })
    expect(JSON.stringify(stored)).not.toContain('client.example')
    expect(stored).toMatchObject({ expiresAtMs: api.time.nowMs + 3_600_000, provider: 'vendorA' })
  })

  test('keeps metadata as the text it came as', async () => {
    const sent = '{ "order": 12345678901234567890, "price": 1.10, "name": "Zo\\u00eb ë" }'
    const body = `{"metadata": ${sent}, "model": "vendorA/gen-2.0", "content": ${JSON.stringify([TEXT])}}`
    const key = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
    const created = await fetch(`${api.url}${TASKS_PATH}`, { method: 'POST', headers: key, body })
    const text = await created.text()
    expect(text).toContain(`,"metadata":${sent}}`)
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const got = await fetch(`${api.url}${TASKS_PATH}/${JSON.parse(text).id}`, { headers: key })
    expect(await got.text()).toContain(`,"metadata":${sent}}`)
    expect(got.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test.each<[string, object, string | null]>([
    ['nothing', textBody('', { seed: 1, task_type: null }), null],
    ['unknown fields', textBody('', { prompt: 'a dog', n: 4 }), 'prompt, n'],
    ['what family A has no use for', textBody('', { task_type: 'reference' }), 'task_type'],
    [
      'what family B has no use for',
      textBodyB('', { seed: 1, draft: false, framespersecond: 24, service_tier: null }),
      'seed, draft, framespersecond',
    ],
    [
      'names that are not plain',
      textBody('', { 'a\r\nb: c': 1, 'é, "': 2, '': 3, ['x'.repeat(70)]: 4 }),
      `a??b??c, ????, ?, ${'x'.repeat(64)}`,
    ],
    [
      'no more than 32 names',
      textBody('', Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, index]))),
      Array.from({ length: 32 }, (_, index) => `f${index}`).join(', '),
    ],
  ])('x-sluice-ignored names %s', async (_name, body, ignored) => {
    const created = await client.create(body)
    expect(created.status).toBe(200)
    expect(created.headers.get('x-sluice-ignored')).toBe(ignored)
  })

  test('reads the status of an answer with more fields', async () => {
    expect(await client.create(textBody('[rich]'))).toMatchObject({ body: { status: 'queued' } })
    const tenant = await api.openTenant()
    const ended = await clientOf(api, tenant).create(textBody('[rich] [instant]'))
    expect(ended).toMatchObject({
      status: 200,
      body: {
        status: 'succeeded',
        completed_at: expect.any(Number),
        content: { video_url: expect.any(String) },
      },
    })
    // 108,900 tokens at 7 USD a million, charged immediately.
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000 - 762_300, held: 0 })
  })

  test('holds the probable cost of the video', async () => {
    const tenant = await api.openTenant()
    const { create } = clientOf(api, tenant)
    await create(textBody())
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 })
    await create(textBodyB('', { duration: 8, resolution: '1080p' }))
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 + 8 * 350_000 })
    const references = [TEXT, VIDEO, VIDEO]
    await create({ model: 'vendorA/gen-2.0', content: references })
    const tokens = (1_280 * 720 * (24 * 35 + 1)) / 1_024
    expect((await api.moneyOf(tenant)).held).toBe(762_300 + 2_800_000 + Math.round(tokens * 4.3))
  })

  test('holds the highest price of family B for a resolution that the catalog lacks', async () => {
    const tenant = await api.openTenant()
    const body = { model: 'vendorB/gen-v4-std', content: [TEXT], resolution: '4k', duration: 4 }
    expect(await clientOf(api, tenant).create(body)).toMatchObject({ status: 200 })
    expect((await api.moneyOf(tenant)).held).toBe(4 * 350_000)
  })

  test('lets a postpaid organization go below zero', async () => {
    const tenant = await api.openTenant({ creditMicros: 0, billing: 'postpaid' })
    expect(await clientOf(api, tenant).create(textBody())).toMatchObject({ status: 200 })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 0, held: 762_300 })
  })

  test('counts on the day of its user, once', async () => {
    const tenant = await api.openTenant({ dailyUsd: '2' })
    const { create } = clientOf(api, tenant)
    await create(textBody())
    await create(textBody('[moderate]'))
    expect(await api.store.ledger.readDay({ userId: tenant.userId, day: '2030-01-02' })).toMatchObject({
      usedMicros: 762_300,
    })
    // The refused task does not count: 0.7623 of 2 USD is used, which allows one more.
    expect(await create(textBody())).toMatchObject({ status: 200 })
    expect(await create(textBody())).toMatchObject({ status: 429 })
  })

  test('passes the checkpoints between which a crash may happen', async () => {
    api.checkpoints.length = 0
    await client.create(textBody())
    expect(api.checkpoints).toEqual([
      'create.before-intent',
      'create.after-intent',
      'create.after-upstream',
      'create.after-accept',
      'create.answering',
    ])
  })

  test('is listed immediately, newest first', async () => {
    const tenant = await api.openTenant()
    const { make, call } = clientOf(api, tenant)
    const ids = [await make(textBody()), await make(textBodyB())]
    const { body } = await call('GET', TASKS_PATH)
    expect(body).toMatchObject({ data: [{ id: ids[1] }, { id: ids[0] }] })
  })

  test('keeps a sound ledger', () => api.expectSound())
})

test('the deadline of a task comes from the client, else from the provider', async () => {
  const api = await startVideoApi({ expiresAfterSeconds: 7_200 })
  onTestFinished(() => api.close())
  const { make } = clientOf(api, api.tenant)
  const deadlineOf = async (id: string) =>
    (await api.store.tasks.find({ id, keyId: api.tenant.keyId }))?.expiresAtMs
  expect(await deadlineOf(await make(textBody()))).toBe(START_MS + 7_200_000)
  expect(await deadlineOf(await make(textBody('', { execution_expires_after: 60 })))).toBe(START_MS + 60_000)
  expect(await deadlineOf(await make(textBodyB()))).toBe(START_MS + 172_800_000)
})

test("the client's time is the deadline in family B too", async () => {
  const api = await startVideoApi({ expiresMinSeconds: 60 })
  onTestFinished(() => api.close())
  const { make } = clientOf(api, api.tenant)
  const deadlineOf = async (seconds: number) => {
    const id = await make(textBodyB('', { execution_expires_after: seconds }))
    return (await api.store.tasks.find({ id, keyId: api.tenant.keyId }))?.expiresAtMs
  }
  expect(await deadlineOf(60)).toBe(START_MS + 60_000)
  expect(await deadlineOf(3_601)).toBe(START_MS + 3_601_000)
})
