import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchOrders } from '../../assets/watch-orders.ts'
import { clientOf, expectApiError, textBody } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

const orders = watchOrders()
let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi({ vendorAround: orders.around })
})
afterAll(() => api.close())

const PATH = '/v1/videos'
const client = () => clientOf(api, api.tenant)
const post = (body: object | string, headers: Record<string, string> = {}) =>
  client().call('POST', PATH, { body, headers })

/** A form as clients send it, and its type. */
function formOf(
  fields: Record<string, string>,
  boundary = 'edge',
): { body: string; headers: Record<string, string> } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const type = `multipart/form-data; boundary=${boundary}`
  return { body: `${parts.join('')}--${boundary}--\r\n`, headers: { 'content-type': type } }
}

test('POST /v1/videos 200: the task can be read by both APIs', async () => {
  const made = await post({ prompt: 'a cat', model: 'vendorA/gen-2.0', seconds: 6, size: '960x960' })
  expect(made).toMatchObject({
    status: 200,
    body: { object: 'video', status: 'queued', progress: 0, seconds: '6', size: '960x960', prompt: null },
  })
  const id = String(made.body.id)
  const taskId = id.replace('video_', 'task_')
  expect(await client().get(taskId)).toMatchObject({ status: 200, body: { id: taskId, status: 'queued' } })
  const other = await client().make(textBody('', { duration: 7 }))
  expect(await client().call('GET', `${PATH}/${other.replace('task_', 'video_')}`)).toMatchObject({
    ...{ status: 200, body: { seconds: '7', size: '1280x720' } },
  })
})

test('POST /v1/videos 200: costs the same as the order of the contract, to the micro', async () => {
  const held = async (send: (key: { key: string }) => Promise<unknown>) => {
    const tenant = await api.openTenant()
    await send(tenant)
    return (await api.moneyOf(tenant)).held
  }
  const asVideo = await held((tenant) =>
    clientOf(api, tenant).call('POST', PATH, {
      body: { prompt: 'a cat', model: 'vendorA/gen-2.0', seconds: '8', size: '1280x720' },
    }),
  )
  const asTask = await held((tenant) =>
    clientOf(api, tenant).create(textBody('', { duration: 8, ratio: '16:9', resolution: '720p' })),
  )
  expect([asVideo, asTask]).toEqual([1_215_900, 1_215_900])
})

test('POST /v1/videos 200: without size and seconds the vendor gets neither, and the reply shows the defaults', async () => {
  expect(await post({ prompt: 'a cat', model: 'vendorB/gen-v4-std' })).toMatchObject({
    ...{ status: 200, body: { seconds: '5', size: '1280x720' } },
  })
  expect(orders.last()).toMatchObject({
    options: { durationSeconds: undefined, ratio: undefined, resolution: undefined },
  })
})

test('POST /v1/videos 200: a request without a model gets the lowest-numbered model that the key may use', async () => {
  expect(await post({ prompt: 'a cat' })).toMatchObject({ status: 200, body: { model: 'vendorA/gen-2.0' } })
})

test('POST /v1/videos 200: a form is the same request as its fields, also for an Idempotency-Key', async () => {
  const fields = { prompt: 'a cat', model: 'vendorA/gen-2.0', seconds: '6', 'metadata[shot]': '12' }
  const key = { 'idempotency-key': 'one order' }
  const send = ({ body, headers }: ReturnType<typeof formOf>) => post(body, { ...headers, ...key })
  const first = await send(formOf(fields))
  const again = await send(formOf(fields, 'another-edge'))
  expect(first).toMatchObject({ status: 200, body: { seconds: '6' } })
  expect(again.body.id).toBe(first.body.id)
  const { 'metadata[shot]': shot, ...plain } = fields
  const asJson = await post({ ...plain, metadata: { shot } }, key)
  expect(asJson.body.id).toBe(first.body.id)
  expectApiError(await send(formOf({ ...fields, seconds: '7' })), { status: 422 })
  const taskId = String(first.body.id).replace('video_', 'task_')
  expect(await client().get(taskId)).toMatchObject({ body: { metadata: { shot: '12' } } })
})

test('POST /v1/videos 200: a quote of the contract is valid, and fields without effect are named', async () => {
  const quote = await client().call('POST', '/v1/video/quotes', { body: textBody('', { duration: 8 }) })
  const answer = await post({
    ...{ prompt: 'a cat ', model: 'vendorA/gen-2.0', seconds: '8', n: 2, quote_id: quote.body.quote_id },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-sluice-ignored')).toBe('n')
})

test.each([
  ['prompt', {}, /^prompt is required/],
  ['prompt', { prompt: 7 }, /^prompt must be a string/],
  ['seconds', { prompt: 'a', seconds: '3' }, /4 to 9999/],
  ['seconds', { prompt: 'a', seconds: '5.5' }, /4 to 9999/],
  ['size', { prompt: 'a', size: '1024x1792' }, /1280x720, 720x1280/],
  ['input_reference', { prompt: 'a', input_reference: { file_id: 'file_1' } }, /POST \/v1\/video\/assets/],
  ['input_reference', { prompt: 'a', input_reference: 'http://a.example/b.png' }, /HTTPS/],
  ['input_reference', { prompt: 'a', input_reference: 'data:image/png;base64,AAAA' }, /HTTPS/],
])('POST /v1/videos 400: %s of %j', async (param, body, message) => {
  expectApiError(await post(body), { status: 400, param, message })
})

test('POST /v1/videos 400: a form that cannot be read', async () => {
  const { headers } = formOf({})
  expectApiError(await post('no form', headers), { status: 400, code: 'invalid_parameter' })
})

test('POST /v1/videos 404: an unknown model', async () => {
  expectApiError(await post({ prompt: 'a', model: 'sora-2' }), { status: 404, code: 'model_not_found' })
})

test('POST /v1/videos 415: a form of another kind', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expectApiError(await post('prompt=a', headers), { status: 415 })
})

test('POST /v1/video/generations 415: the contract takes no form', async () => {
  const { body, headers } = formOf({ model: 'vendorA/gen-2.0' })
  expectApiError(await client().call('POST', '/v1/video/generations', { body, headers }), { status: 415 })
})

test('POST /v1/videos 402: without balance', async () => {
  const poor = await api.openTenant({ creditMicros: 1 })
  const body = { prompt: 'a', model: 'vendorA/gen-2.0' }
  expectApiError(await clientOf(api, poor).call('POST', PATH, { body }), {
    ...{ status: 402, code: 'insufficient_balance' },
  })
})
