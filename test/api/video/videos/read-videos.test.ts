import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi()
})
afterAll(() => api.close())

const PATH = '/v1/videos'
const asVideo = (taskId: string) => taskId.replace('task_', 'video_')
const own = async () => clientOf(api, await api.openTenant())
const idsOf = ({ body }: Awaited<ReturnType<Client['call']>>) => {
  const data: unknown = body.data
  return (Array.isArray(data) ? data : []).map((video: unknown) => Object(video).id)
}

test('GET /v1/videos/{id} 200: each status in the words of this API', async () => {
  const client = await own()
  const id = asVideo(await client.make(textBody()))
  const get = () => client.call('GET', `${PATH}/${id}`)
  expect(await get()).toMatchObject({ body: { status: 'queued', progress: 0, completed_at: null } })
  api.passSeconds(30)
  expect(await get()).toMatchObject({ body: { status: 'in_progress', progress: 50, expires_at: null } })
  api.passSeconds(600)
  const { body, headers } = await get()
  expect(body).toMatchObject({ status: 'completed', progress: 100, error: null })
  expect(body.expires_at).toBe(Number(body.completed_at) + 86_400)
  expect(headers.get('x-sluice-served-by')).toBe('vendorA/gen-2.0')
})

test('GET /v1/videos/{id} 200: a failed and a cancelled video', async () => {
  const client = await own()
  const failed = asVideo(await client.make(textBody('[fail]')))
  api.passSeconds(600)
  expect(await client.call('GET', `${PATH}/${failed}`)).toMatchObject({
    body: { status: 'failed', progress: 0, error: { code: expect.any(String), message: expect.any(String) } },
  })
  const cancelled = asVideo(await client.make(textBody()))
  expect(await client.call('DELETE', `${PATH}/${cancelled}`)).toMatchObject({
    ...{ status: 200, body: { id: cancelled, object: 'video.deleted', deleted: true } },
  })
  expect(await client.call('GET', `${PATH}/${cancelled}`)).toMatchObject({
    ...{ status: 200, body: { status: 'failed', error: { code: 'cancelled' } } },
  })
})

test('GET /v1/videos 200: pages in both orders', async () => {
  const client = await own()
  const made: string[] = []
  for (const body of [textBody(), textBodyB(), textBody()]) made.push(asVideo(await client.make(body)))
  const list = (query: string) => client.call('GET', `${PATH}?${query}`)
  const first = await list('limit=2')
  expect(first.body).toMatchObject({ object: 'list', has_more: true, first_id: made[2], last_id: made[1] })
  expect(idsOf(first)).toEqual([made[2], made[1]])
  const rest = await list(`limit=2&after=${made[1]}`)
  expect(rest.body).toMatchObject({ has_more: false, first_id: made[0], last_id: made[0] })
  expect(idsOf(await list('order=asc'))).toEqual(made)
  expect(idsOf(await list(`order=asc&after=${made[0]}`))).toEqual(made.slice(1))
  expect((await list(`after=${made[0]}`)).body).toEqual({
    ...{ object: 'list', data: [], first_id: null, last_id: null, has_more: false },
  })
  await client.call('DELETE', `${PATH}/${made[2]}`)
  expect(idsOf(await list(`after=${made[2]}`))).toEqual([made[1], made[0]])
})

test.each([
  ['after', 'after=video_0'],
  ['after', 'after=task_0'],
  ['after', 'after=video_%00'],
  ['order', 'order=up'],
  ['limit', 'limit=-1'],
])('GET /v1/videos 400: %s', async (param, query) => {
  const client = await own()
  expectApiError(await client.call('GET', `${PATH}?${query}`), { status: 400, param })
})

test("GET /v1/videos 400: another key's video as after", async () => {
  const id = asVideo(await clientOf(api, api.tenant).make(textBody()))
  const answer = await (await own()).call('GET', `${PATH}?after=${id}`)
  expectApiError(answer, { status: 400, code: 'invalid_cursor', param: 'after' })
})

test.each(['task_0', 'video_0', 'cgt-0', 'video_%2e'])('GET /v1/videos/%s 404', async (id) => {
  expectApiError(await (await own()).call('GET', `${PATH}/${id}`), { status: 404, code: 'task_not_found' })
})

test('DELETE /v1/videos/{id} 400: family B; 404: deleted before', async () => {
  const client = await own()
  const b = asVideo(await client.make(textBodyB()))
  expectApiError(await client.call('DELETE', `${PATH}/${b}`), { status: 400, code: 'task_not_deletable' })
  const a = asVideo(await client.make(textBody()))
  await client.call('DELETE', `${PATH}/${a}`)
  expectApiError(await client.call('DELETE', `${PATH}/${a}`), { status: 404 })
})

test('GET /v1/videos/{id}/content 409: not completed; 400: another variant; 404: unknown', async () => {
  const client = await own()
  const id = asVideo(await client.make(textBody()))
  const content = (query = '') => client.call('GET', `${PATH}/${id}/content${query}`)
  expectApiError(await content(), { status: 409, code: 'content_not_ready' })
  expectApiError(await content('?variant=thumbnail'), { status: 400, param: 'variant' })
  expectApiError(await client.call('GET', `${PATH}/video_0/content`), { status: 404 })
})

test('POST /v1/videos/{id}/remix 400: the model is named, or the prompt is missing; 404: unknown', async () => {
  const client = await own()
  const id = asVideo(await client.make(textBody()))
  expectApiError(await client.call('POST', `${PATH}/${id}/remix`, { body: { prompt: 'b' } }), {
    ...{ status: 400, code: 'unsupported_combination', message: /vendorA\/gen-2.0 cannot remix/ },
  })
  expectApiError(await client.call('POST', `${PATH}/${id}/remix`, { body: {} }), {
    status: 400,
    code: 'missing_parameter',
  })
  expectApiError(await client.call('POST', `${PATH}/video_0/remix`, { body: { prompt: 'b' } }), {
    status: 404,
  })
})
