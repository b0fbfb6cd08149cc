import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../servers/free-port.ts'
import { RESPONSES_MODEL } from './call-text.ts'
import { startTextApi, type TextApi } from './start-text-api.ts'

let api: TextApi
beforeAll(async () => {
  // Nothing listens there.
  const environment = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
  api = await startTextApi({ environment })
})
afterAll(() => api.close())

test.each<[operation: string, method: string, path: string, body?: object]>([
  ['getResponse', 'GET', '/resp_1'],
  ['getResponse of a stream', 'GET', '/resp_1?stream=true'],
  ['cancelResponse', 'POST', '/resp_1/cancel'],
  ['deleteResponse', 'DELETE', '/resp_1'],
  [
    'createResponse that goes on from another',
    'POST',
    '',
    { model: RESPONSES_MODEL, input: 'Hi', previous_response_id: 'resp_1' },
  ],
])('%s 503 while Redis is unreachable, where responses are kept', async (_operation, method, path, body) => {
  const answer = await fetch(`${api.url}/v1/responses${path}`, {
    method,
    headers: {
      authorization: `Bearer ${api.tenant.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: 'store_unavailable' } })
})
