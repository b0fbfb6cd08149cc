import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextApi, type TextApi } from '../../text/start-text-api.ts'

let api: TextApi
let id: string

beforeAll(async () => {
  api = await startTextApi({ sandboxSpeed: 2_000 })
  const made = await ask('', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'a cat [instant]', model: 'vendorA/gen-2.0', seconds: 4 }),
  })
  id = String(Object(await made.json()).id)
})
afterAll(() => api.close())

function ask(path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  const headers = { authorization: `Bearer ${api.tenant.key}`, ...init.headers }
  return fetch(`${api.url}/v1/videos${path}`, { ...init, headers })
}

const content = (headers: Record<string, string> = {}) => ask(`/${id}/content`, { headers })

test('GET /v1/videos/{id}/content 200: the video, and no header of the vendor', async () => {
  await expect.poll(async () => (await content()).status).toBe(200)
  const answer = await content()
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  })
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
})

test('GET /v1/videos/{id}/content 206: one range; 416 beyond the end', async () => {
  const part = await content({ range: 'bytes=4-7' })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toMatch(/^bytes 4-7\/\d+$/)
  expect(await part.text()).toBe('ftyp')
  expect((await content({ range: 'bytes=999999999-' })).status).toBe(416)
})

test('HEAD /v1/videos/{id}/content 200: the vendor is not asked for the video', async () => {
  const clips = async () =>
    (await api.vendor.requests()).filter(({ operation }) => operation === 'clip').length
  const before = await clips()
  expect((await ask(`/${id}/content`, { method: 'HEAD' })).status).toBe(200)
  expect(await clips()).toBe(before)
})

test('GET /v1/videos/{id}/content 502: the link of the vendor fails', async () => {
  await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', status: 500 } })
  const answer = await content()
  await api.vendor.clearFaults()
  expect(answer.status).toBe(502)
  expect(Object(await answer.json()).error).toMatchObject({ code: 'upstream_error' })
})
