import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  moody: { driver: text, base_url: VENDOR, api_key: key-of-the-operator, models: { m: messages, r: responses, c: chat } }
  vendorC: { driver: text, base_url: SANDBOX, api_key: good, models: { model-4.1: chat } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 3 }, { unit: output_token, usd_per_million: 15 }]'
const CATALOG = `
models:
  - { model_id: 40, name: moody/m, fallbacks: [vendorC/model-4.1], ${PRICES} }
  - { model_id: 41, name: moody/r, endpoints: [responses], fallbacks: [vendorC/model-4.1], ${PRICES} }
  - { model_id: 42, name: moody/c, endpoints: [messages, responses], ${PRICES} }
`
const message = (more: object = {}) => ({
  model: 'moody/m',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Say hello.' }],
  ...more,
})
const response = (more: object = {}) => ({ model: 'moody/r', input: 'Say hello.', ...more })

let gateway: TextGateway
beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
  const tools = [{ type: 'code_execution_20250825', name: 'code_execution' }]
  await give(GIVEN_MESSAGE, '/v1/messages', message({ thread: { type: 'create' }, tools }))
  await give(GIVEN_RESPONSE, '/v1/responses', response())
})
afterAll(() => gateway.close())

/** This organization got these ids once; the vendor has lost them since. */
const GIVEN_MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage: {} },
  container: { id: 'container_1', expires_at: '2030-01-01T00:00:00Z' },
  content: [{ type: 'code_execution_tool_result', content: { content: [{ file_id: 'file_1' }] } }],
}
const GIVEN_RESPONSE = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm', usage: {} },
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
  ],
}

async function give(reply: object, path: string, body: object): Promise<void> {
  gateway.answer = (_, answer) => answer.end(JSON.stringify(reply))
  expect((await gateway.call(path, body)).status).toBe(200)
}

async function refused(status: number, error: object, path: string, body: object) {
  gateway.answer = (_, answer) => answer.writeHead(status).end(JSON.stringify({ type: 'error', error }))
  const reported = await gateway.call(path, body)
  return { status: reported.status, error: JSON.parse(reported.body).error }
}

const THREAD_GONE = {
  type: 'invalid_request_error',
  message: 'No thread.',
  details: { error_code: 'thread_not_found', hint: 'not with key-of-the-operator' },
}
const UNREADABLE = {
  type: 'invalid_request_error',
  message: 'Cannot be verified.',
  code: 'invalid_encrypted_content',
  param: 'input[1]',
}

test('machine-readable fields of a vendor error reach a client of the same dialect, without our secrets', async () => {
  expect(await refused(400, THREAD_GONE, '/v1/messages', message())).toEqual({
    status: 400,
    error: { ...THREAD_GONE, details: { error_code: 'thread_not_found', hint: 'not with …' } },
  })
  expect(await refused(400, UNREADABLE, '/v1/responses', response())).toEqual({
    status: 400,
    error: UNREADABLE,
  })
})

test('machine-readable fields of a vendor error do not reach a client of another dialect', async () => {
  const model = 'moody/c'
  const { type, message: words } = UNREADABLE
  const error = { ...UNREADABLE, ...THREAD_GONE, message: words }
  expect(await refused(400, error, '/v1/messages', message({ model }))).toEqual({
    status: 400,
    error: { type, message: words },
  })
  expect(await refused(400, error, '/v1/responses', response({ model }))).toEqual({
    status: 400,
    error: { type, message: words, param: null, code: 'invalid_parameter' },
  })
})

const continued = { type: 'continue', previous_message_id: 'msg_1' }
const file = { type: 'document', source: { type: 'file', file_id: 'file_1' } }
const NOT_FOUND = { type: 'not_found_error', message: 'No such thread, file, container or item.' }

test.each<[path: string, body: object]>([
  ['/v1/messages', message({ thread: continued })],
  ['/v1/messages', message({ container: 'container_1' })],
  ['/v1/messages', message({ messages: [{ role: 'user', content: [file] }] })],
  ['/v1/responses', response({ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] })],
  ['/v1/responses', response({ input: [{ type: 'item_reference', id: 'msg_1' }] })],
])('400 on %s for a reference to something that the vendor does not have: %j', async (path, body) => {
  const askedBefore = gateway.asked
  expect(await refused(404, NOT_FOUND, path, body)).toMatchObject({
    status: 400,
    error: { type: 'invalid_request_error', message: NOT_FOUND.message },
  })
  expect(gateway.asked).toBe(askedBefore + 1)
})

test.each<[path: string, body: object, error: object]>([
  ['/v1/messages', message(), NOT_FOUND],
  ['/v1/responses', response(), NOT_FOUND],
  [
    '/v1/responses',
    response({ input: [{ role: 'user', content: 'Hi', id: 'msg_1' }] }),
    { type: 'not_found_error', message: 'The model does not exist.', code: 'model_not_found' },
  ],
])('a model that the vendor does not have is served by its fallback: %s %j', async (path, body, error) => {
  expect(await refused(404, error, path, body)).toMatchObject({ status: 200 })
})

test('no conversation that a vendor keeps goes to a fallback that must be converted', async () => {
  const overloaded = { type: 'overloaded_error', message: 'Later.' }
  for (const thread of [continued, { type: 'create' }]) {
    expect(await refused(529, overloaded, '/v1/messages', message({ thread }))).toMatchObject({
      status: 529,
      error: { type: 'overloaded_error' },
    })
  }
  expect(await refused(529, overloaded, '/v1/messages', message({ thread: null }))).toMatchObject({
    status: 200,
  })
})
