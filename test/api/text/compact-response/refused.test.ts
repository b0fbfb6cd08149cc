import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectResponsesError, RESPONSES_MODEL, textClientOf } from '../call-text.ts'
import { startTextApi, type TextApi } from '../start-text-api.ts'

const SOUND = { model: RESPONSES_MODEL, input: 'hello' }

let api: TextApi
beforeAll(async () => {
  api = await startTextApi()
})
afterAll(() => api.close())

test.each<[string, object, { param: string; code?: string; message?: RegExp }]>([
  ['no model', { input: 'hello' }, { param: 'model', code: 'missing_parameter' }],
  ['no conversation', { model: RESPONSES_MODEL }, { param: 'input', code: 'missing_parameter' }],
  ['a conversation that is a number', { ...SOUND, input: 7 }, { param: 'input' }],
  ['a stream', { ...SOUND, stream: true }, { param: 'stream', message: /comes whole/ }],
  ['the background', { ...SOUND, background: true }, { param: 'background', message: /waited for/ }],
  [
    'a reply that is not kept',
    { ...SOUND, previous_response_id: 'resp_none' },
    { param: 'previous_response_id', code: 'previous_response_not_found' },
  ],
  ["the vendor's own refusal", { ...SOUND, temperature: 1, top_k: 4 }, { param: 'top_k' }],
])('400: %s', async (_name, body, expected) => {
  const tenant = await api.openTenant()
  const answer = await textClientOf(api, tenant).compact(body)
  expectResponsesError(answer, { status: 400, ...expected })
  expect(await api.moneyOf(tenant)).toMatchObject({ balance: 100_000_000 })
})

test('402: an empty prepaid balance, and the vendor is not asked', async () => {
  const tenant = await api.openTenant({ creditMicros: 0 })
  const before = (await api.vendor.requests()).length
  const answer = await textClientOf(api, tenant).compact(SOUND)
  expectResponsesError(answer, { status: 402, code: 'insufficient_balance' })
  expect((await api.vendor.requests()).length).toBe(before)
})

test('404: a model that is not offered on /v1/responses', async () => {
  const answer = await textClientOf(api, api.tenant).compact({ ...SOUND, model: 'vendorD/text-small' })
  expectResponsesError(answer, { status: 404, code: 'model_not_found', param: 'model' })
})

test('405: another method', async () => {
  const headers = { authorization: `Bearer ${api.tenant.key}` }
  const answer = await fetch(`${api.url}/v1/responses/compact`, { method: 'PUT', headers })
  expect(answer.status).toBe(405)
})
