import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchOrders } from '../../assets/watch-orders.ts'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

const orders = watchOrders()
let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi({ vendorAround: orders.around })
})
afterAll(() => api.close())

const PATH = '/api/v3/contents/generations/tasks'
const asNative = (taskId: string) => taskId.replace('task_', 'cgt-')
const own = async () => clientOf(api, await api.openTenant())

/** Requests as the vendor's documentation shows them, with a model of ours. */
const RECORDED: Record<string, object> = {
  'text to video': {
    model: 'vendorA/gen-2.0',
    content: [{ type: 'text', text: 'A girl opens her eyes and looks gently at the camera' }],
    ...{ generate_audio: true, ratio: '16:9', duration: 5, watermark: false },
  },
  'first frame': {
    model: 'vendorA/gen-2.0',
    content: [
      { type: 'text', text: 'She smiles' },
      { type: 'image_url', image_url: { url: 'https://client.example/first.png' } },
    ],
    ...{ resolution: '720p', seed: 11, execution_expires_after: 3600 },
  },
  'first and last frame': {
    model: 'vendorA/gen-2.0-fast',
    content: [
      { type: 'text', text: '360-degree orbiting camera shot' },
      { type: 'image_url', image_url: { url: 'https://client.example/first.png' }, role: 'first_frame' },
      { type: 'image_url', image_url: { url: 'https://client.example/last.png' }, role: 'last_frame' },
    ],
    ...{ service_tier: 'flex', duration: 6 },
  },
  references: {
    model: 'vendorA/gen-2.0',
    content: [
      { type: 'text', text: '[Image 1] plays with [Image 2]' },
      { type: 'image_url', image_url: { url: 'https://client.example/1.png' }, role: 'reference_image' },
      { type: 'video_url', video_url: { url: 'https://client.example/2.mp4' }, role: 'reference_video' },
      { type: 'audio_url', audio_url: { url: 'https://client.example/3.mp3' }, role: 'reference_audio' },
    ],
  },
}

test.each(Object.entries(RECORDED))('POST tasks 200: %s, as documented', async (_name, body) => {
  const client = await own()
  const made = await client.call('POST', PATH, { body })
  expect(made).toMatchObject({ status: 200 })
  expect(made.body).toEqual({ id: expect.stringMatching(/^cgt-\w+$/) })
  const { model, content: _content, watermark: _watermark, ...options } = Object(body)
  api.passSeconds(600)
  const { status, body: task } = await client.call('GET', `${PATH}/${made.body.id}`)
  expect({ status, task }).toMatchObject({
    status: 200,
    task: { ...options, id: made.body.id, model, status: 'succeeded', error: null },
  })
  expect(task).toMatchObject({
    content: { video_url: expect.stringMatching(/^https?:/) },
    usage: { completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
  })
})

test('POST tasks 200: roles of frames reach the vendor on this path only', async () => {
  const client = await own()
  const body = RECORDED['first and last frame'] ?? {}
  const roles = () => Object(orders.last()).items.map(({ role }: { role?: string }) => role)
  await client.call('POST', PATH, { body })
  expect(roles()).toEqual([undefined, 'first_frame', 'last_frame'])
  await client.make(body)
  expect(roles()).toEqual([undefined, undefined, undefined])
})

test('POST tasks 200: the hold equals the hold of the contract, to the micro', async () => {
  const tenants = [await api.openTenant(), await api.openTenant()] as const
  const body = textBody('', { duration: 8, resolution: '720p' })
  await clientOf(api, tenants[0]).call('POST', PATH, { body })
  await clientOf(api, tenants[1]).create(body)
  const held = await Promise.all(tenants.map(async (tenant) => (await api.moneyOf(tenant)).held))
  expect(held).toEqual([1_215_900, 1_215_900])
})

test.each([
  ['model', {}],
  ['content', { model: 'vendorA/gen-2.0' }],
  ['ratio', textBody('', { ratio: 'adaptive' })],
  ['duration', textBody('', { duration: 2 })],
])('POST tasks 400: %s', async (param, body) => {
  expectApiError(await (await own()).call('POST', PATH, { body }), { status: 400, param })
})

test('POST tasks 404: a model of family B', async () => {
  const answer = await (await own()).call('POST', PATH, { body: textBodyB() })
  expectApiError(answer, { status: 404, code: 'model_not_found', message: /not offered in this format/ })
})

test('GET tasks/{id} 200: a task of the contract, by its other id; 404: family B', async () => {
  const client = await own()
  const id = await client.make(textBody())
  expect(await client.call('GET', `${PATH}/${asNative(id)}`)).toMatchObject({
    ...{ status: 200, body: { id: asNative(id), status: 'queued', duration: 5, resolution: '720p' } },
  })
  const b = await client.make(textBodyB())
  for (const method of ['GET', 'DELETE'])
    expectApiError(await client.call(method, `${PATH}/${asNative(b)}`), { status: 404 })
  expect(await client.get(b)).toMatchObject({ status: 200 })
})

test('GET tasks 200: pages and filters', async () => {
  const client = await own()
  const first = asNative(await client.make(textBody('', { service_tier: 'flex' })))
  const fast = { ...textBody(), model: 'vendorA/gen-2.0-fast' }
  const second = asNative(await client.make(fast))
  await client.make(textBodyB())
  const list = async (query: string) => {
    const { body } = await client.call('GET', `${PATH}?${query}`)
    const items: unknown = body.items
    return [body.total, ...(Array.isArray(items) ? items : []).map((task: unknown) => Object(task).id)]
  }
  expect(await list('')).toEqual([2, second, first])
  expect(await list('page_size=1')).toEqual([2, second])
  expect(await list('page_size=1&page_num=2')).toEqual([2, first])
  expect(await list('filter.status=queued')).toEqual([2, second, first])
  expect(await list('filter.status=expired')).toEqual([0])
  expect(await list(`filter.task_ids=${first}&filter.task_ids=cgt-0`)).toEqual([1, first])
  expect(await list('filter.model=vendorA/gen-2.0-fast')).toEqual([1, second])
  expect(await list('filter.service_tier=flex')).toEqual([1, first])
})

test.each(['page_num=0', 'page_size=501', 'filter.status=done', 'filter.model=', 'filter.model=a%00'])(
  'GET tasks 400: %s',
  async (query) => {
    const [param] = query.split('=')
    expectApiError(await (await own()).call('GET', `${PATH}?${query}`), { status: 400, param: param ?? '' })
  },
)

test('POST tasks 200: a quote of the contract is valid', async () => {
  const client = await own()
  const quote = await client.call('POST', '/v1/video/quotes', { body: textBody() })
  const body = textBody('', { quote_id: quote.body.quote_id })
  expect(await client.call('POST', PATH, { body })).toMatchObject({ status: 200 })
})

test('DELETE tasks/{id} 200: cancelled, and shown as such; then 404', async () => {
  const client = await own()
  const id = asNative(await client.make(textBody()))
  expect(await client.call('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200, body: {} })
  expect(await client.call('GET', `${PATH}/${id}`)).toMatchObject({ body: { status: 'cancelled' } })
  expectApiError(await client.call('DELETE', `${PATH}/${id}`), { status: 404 })
})

test('GET tasks/{id} 200: a task that was not finished in time is expired', async () => {
  const client = await own()
  const id = await client.make(textBody('', { execution_expires_after: 1 }))
  api.time.nowMs += 10_000
  await api.sweep('vendorA')
  expect(await client.get(id)).toMatchObject({ body: { error: { code: 'task_expired' } } })
  expect(await client.call('GET', `${PATH}/${asNative(id)}`)).toMatchObject({
    body: { status: 'expired', error: { code: 'task_expired' } },
  })
})
