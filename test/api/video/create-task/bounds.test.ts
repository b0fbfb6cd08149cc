import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi()
})
afterAll(() => api.close())

const TOO_LONG = {
  status: 400,
  code: 'invalid_parameter',
  param: 'duration',
  message: /from 4 to 30 seconds/,
}

test.each([
  ['/v1/video/generations', textBody('', { duration: 500 })],
  ['/v1/video/quotes', textBody('', { duration: 500 })],
  ['/api/v3/contents/generations/tasks', textBody('', { duration: 500 })],
  ['/v1/videos', { model: 'vendorA/gen-2.0', prompt: 'a cat', seconds: '500' }],
])('POST %s 400: longer than the vendor makes, before any money', async (path, body) => {
  const tenant = await api.openTenant()
  const before = await api.vendors.requests()
  expectApiError(await clientOf(api, tenant).call('POST', path, { body }), TOO_LONG)
  expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  expect(await api.vendors.requests()).toEqual(before)
})

test('POST /v1/video/quotes 200: 30 seconds of family A cost 4_542_300 micros', async () => {
  const body = textBody('', { duration: 30 })
  const answer = await clientOf(api, api.tenant).call('POST', '/v1/video/quotes', { body })
  expect(answer).toMatchObject({ status: 200, body: { max_micros: 4_542_300 } })
})

test('POST /v1/video/quotes 200: family B has no known bound', async () => {
  const body = textBodyB('', { duration: 60 })
  const answer = await clientOf(api, api.tenant).call('POST', '/v1/video/quotes', { body })
  expect(answer.status).toBe(200)
})
