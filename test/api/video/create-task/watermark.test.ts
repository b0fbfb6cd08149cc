import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchOrders } from '../../assets/watch-orders.ts'
import { type ApiAnswer, clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { setTerms } from '../set-terms.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

const orders = watchOrders()
let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi({ vendorAround: orders.around })
})
afterAll(() => api.close())

const MODEL = 'vendorA/gen-2.0'
const PATHS = ['/v1/video/generations', '/api/v3/contents/generations/tasks', '/v1/videos']
const bodyOf = (path: string, more: object) =>
  path === '/v1/videos' ? { model: MODEL, prompt: 'a cat', ...more } : textBody('', more)
const ordered = () => Object(orders.last()).options.watermark
const ignored = ({ headers }: ApiAnswer) => headers.get('x-sluice-ignored')

test.each(
  PATHS.flatMap((path) => [
    { path, terms: 'vendor', sent: undefined, named: 'watermark' },
    { path, terms: 'off', sent: false, named: 'watermark' },
    { path, terms: 'client', sent: true, named: null },
  ]),
)('POST $path 200: watermark of a row with $terms sends $sent', async ({ path, terms, sent, named }) => {
  await setTerms(api, { [MODEL]: { watermark: terms === 'off' || terms === 'client' ? terms : 'vendor' } })
  const client = clientOf(api, api.tenant)
  const answer = await client.call('POST', path, { body: bodyOf(path, { watermark: true }) })
  expect(answer).toMatchObject({ status: 200 })
  expect([ordered(), ignored(answer)]).toEqual([sent, named])
  await client.call('POST', path, { body: bodyOf(path, {}) })
  expect(ordered()).toBe(terms === 'off' ? false : undefined)
})

test('GET receipt 200: the requested mark is in the receipt', async () => {
  await setTerms(api, { [MODEL]: { watermark: 'client' } })
  const client = clientOf(api, api.tenant)
  const id = await client.make(textBody('', { watermark: true }))
  api.passSeconds(600)
  await client.get(id)
  const { body } = await client.call('GET', `/v1/video/generations/${id}/receipt`)
  const payload = JSON.parse(Buffer.from(String(body.payload), 'base64url').toString())
  expect(payload.order).toMatchObject({ watermark: true })
  const native = await client.call(
    ...(['GET', `/api/v3/contents/generations/tasks/${id.replace('task_', 'cgt-')}`] as const),
  )
  expect(native.body).toMatchObject({ watermark: true })
})

test('POST /v1/video/generations 200: a vendor without the option gets none, and the field is named', async () => {
  const answer = await clientOf(api, api.tenant).create(textBodyB('', { watermark: true }))
  expect([answer.status, ignored(answer)]).toEqual([200, 'watermark'])
})

test('POST /v1/videos 200: without a model the field is named too', async () => {
  await setTerms(api, { [MODEL]: { watermark: 'vendor' } })
  const body = { prompt: 'a cat', watermark: true }
  const answer = await clientOf(api, api.tenant).call('POST', '/v1/videos', { body })
  expect([answer.status, ignored(answer)]).toEqual([200, 'watermark'])
})

test.each(PATHS)('POST %s 400: watermark must be true or false', async (path) => {
  const answer = await clientOf(api, api.tenant).call('POST', path, {
    ...{ body: bodyOf(path, { watermark: 'yes' }) },
  })
  expectApiError(answer, { status: 400, param: 'watermark', message: /must be true or false/ })
})
