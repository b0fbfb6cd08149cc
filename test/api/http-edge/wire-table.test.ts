import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { Answer } from './answer.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const BODY = JSON.stringify({ model: 'vendorD/m', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] })
const INPUT = JSON.stringify({ model: 'vendorD/m', input: 'x' })

interface Sent {
  start?: string
  version?: string
  key?: string
  headers?: string
  body?: string
}

const request = ({ start = 'POST /v1/messages', version = '1.1', ...sent }: Sent) => {
  const { key = KEY, headers = '', body = BODY } = sent
  return (
    `${start} HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${key}\r\ncompat-version: 2023-06-01\r\n` +
    `Content-Length: ${body.length}\r\n${headers}\r\n${body}`
  )
}

const LAST = 'Connection: close\r\n'
const UPGRADE = 'Connection: upgrade\r\nUpgrade: websocket\r\n'

/** One answer: its status, whether the connection stays open, the operation that is counted, and the code of its error. */
type Expected = [status: number, connection: 'close' | 'keep-alive', operation: string, code?: string]

const get = (target: string, more: Sent = {}): Sent => ({
  ...{ start: `GET ${target}`, body: '', headers: LAST },
  ...more,
})
const by = (method: string, target: string): Sent => ({
  start: `${method} ${target}`,
  body: '',
  headers: LAST,
})

const MESSAGE: Expected = [200, 'close', 'createMessage']
const MODELS: Expected = [200, 'close', 'listModels']
const NOWHERE: Expected = [404, 'close', 'unknown', 'not_found']
const BAD_URL: Expected = [400, 'close', 'unknown', 'malformed_request']
const WRONG_METHOD: Expected = [405, 'close', 'unknown', 'method_not_allowed']

/** What every odd request is answered, at addresses of text and of all others alike. */
const SENT: [string, Expected[], Sent[]][] = [
  ['a message', [MESSAGE], [{ headers: LAST }]],
  [
    'a response',
    [[200, 'close', 'createResponse']],
    [{ start: 'POST /v1/responses', body: INPUT, headers: LAST }],
  ],
  ['two on one connection', [[200, 'keep-alive', 'createMessage'], MESSAGE], [{}, { headers: LAST }]],
  [
    'a question mark alone',
    [[200, 'keep-alive', 'createMessage'], MESSAGE],
    [{}, { start: 'POST /v1/messages?', headers: LAST }],
  ],
  ['a query', [MESSAGE], [{ start: 'POST /v1/messages?beta=true', headers: LAST }]],
  ['a fragment', [MESSAGE], [{ start: 'POST /v1/messages#x', headers: LAST }]],
  ['an escaped letter', [MESSAGE], [{ start: 'POST /v1/%6dessages', headers: LAST }]],
  ['a whole address', [MESSAGE], [{ start: 'POST http://x/v1/messages', headers: LAST }]],
  ['a whole address of https', [MODELS], [get('https://x/v1/models')]],
  ['a whole address of another kind', [NOWHERE], [get('ftp://x/v1/models')]],
  ['a whole address without a host', [BAD_URL], [get('http:///v1/models')]],
  ['a slash at the end', [NOWHERE], [{ start: 'POST /v1/messages/', headers: LAST }]],
  ['two slashes', [NOWHERE], [{ start: 'POST //v1/messages', headers: LAST }]],
  ['two slashes inside', [NOWHERE], [get('/v1//models')]],
  ['capital letters', [NOWHERE], [{ start: 'POST /V1/messages', headers: LAST }]],
  ['an escaped slash', [NOWHERE], [get('/v1%2Fmodels')]],
  ['dots', [NOWHERE], [get('/v1/../v1/models')]],
  ['an escape that is none', [BAD_URL], [get('/v1/models%zz')]],
  ['an escape cut short', [BAD_URL], [get('/v1/models%2')]],
  ['an escape of half a character', [BAD_URL], [get('/v1/models%C3')]],
  ['an escape that is none, in the query', [MODELS], [get('/v1/models?x=%zz')]],
  ['an address of 8 KiB', [MODELS], [get(`/v1/models?${'a'.repeat(8 * 1024 - 11)}`)]],
  [
    'a longer address',
    [[414, 'close', 'unknown', 'uri_too_long']],
    [get(`/v1/models?${'a'.repeat(8 * 1024)}`)],
  ],
  [
    'a longer id',
    [[414, 'close', 'unknown', 'uri_too_long']],
    [get(`/v1/video/generations/${'a'.repeat(9_000)}`)],
  ],
  [
    'a long id',
    [[404, 'close', 'getTask', 'task_not_found']],
    [get(`/v1/video/generations/${'a'.repeat(7_000)}`)],
  ],
  ['an asterisk', [[404, 'close', 'unknown', 'not_found']], [by('OPTIONS', '*')]],
  ['another method', [WRONG_METHOD], [by('PUT', '/v1/messages')]],
  ['a rare method', [WRONG_METHOD], [by('M-SEARCH', '/v1/models')]],
  ['OPTIONS', [WRONG_METHOD], [by('OPTIONS', '/v1/models')]],
  ['TRACE', [WRONG_METHOD], [by('TRACE', '/healthz')]],
  ['a rare method at an unknown address', [NOWHERE], [by('PROPFIND', '/nothing')]],
  [
    'a wrong method with a wrong key',
    [[401, 'close', 'unknown', 'invalid_api_key']],
    [{ ...by('PUT', '/v1/models'), key: 'wrong' }],
  ],
  ['the models by POST', [WRONG_METHOD], [{ start: 'POST /v1/models', headers: LAST }]],
  ['a wrong key', [[401, 'close', 'createMessage', 'invalid_api_key']], [{ key: 'wrong', headers: LAST }]],
  [
    'two keys',
    [[401, 'close', 'createMessage', 'invalid_api_key']],
    [{ headers: `${LAST}Authorization: Bearer other\r\n` }],
  ],
  ['two hosts', [BAD_URL], [get('/healthz', { headers: `${LAST}Host: y\r\n` })]],
  ['HTTP/1.0', [[200, 'close', 'healthz']], [get('/healthz', { version: '1.0', headers: '' })]],
  [
    'HTTP/1.0 that keeps its connection',
    [
      [200, 'keep-alive', 'healthz'],
      [200, 'close', 'healthz'],
    ],
    [get('/healthz', { version: '1.0', headers: 'Connection: keep-alive\r\n' }), get('/healthz')],
  ],
  [
    'a body of another form',
    [[400, 'close', 'createMessage', 'missing_parameter']],
    [{ body: INPUT, headers: LAST }],
  ],
  ['no JSON', [[400, 'close', 'createMessage', 'invalid_json']], [{ body: '[', headers: LAST }]],
  ['no body', [[400, 'close', 'createMessage', 'invalid_json']], [{ body: '', headers: LAST }]],
  [
    'another type',
    [[415, 'close', 'createMessage', 'unsupported_media_type']],
    [{ headers: `${LAST}Content-Type: text/plain\r\n` }],
  ],
  [
    'an unknown expectation',
    [[417, 'close', 'unknown', 'expectation_failed']],
    [{ headers: `${LAST}Expect: cake\r\n` }],
  ],
  ['an expectation', [MESSAGE], [{ headers: `${LAST}Expect: 100-continue\r\n` }]],
  ['an upgrade', [MESSAGE], [{ headers: UPGRADE }]],
  [
    'an upgrade where there is no WebSocket',
    [[426, 'close', 'unknown', 'upgrade_required']],
    [get('/v1/messages', { headers: UPGRADE })],
  ],
  ['the models for an upgrade', [MODELS], [get('/v1/models', { headers: UPGRADE })]],
  [
    'long headers',
    [[431, 'close', 'unknown', 'headers_too_large']],
    [{ headers: `${LAST}X: ${'a'.repeat(33 * 1024)}\r\n` }],
  ],
  [
    'a model that is refused',
    [[404, 'close', 'createMessage', 'model_not_found']],
    [{ body: BODY.replace('vendorD/m', 'vendorD/no'), headers: LAST }],
  ],
  [
    'a fault of ours',
    [[500, 'close', 'createMessage', 'internal_error']],
    [{ body: BODY.replace('vendorD/m', 'vendorD/bug'), headers: LAST }],
  ],
  ['the models', [MODELS], [get('/v1/models')]],
  [
    'the models with a body',
    [[200, 'keep-alive', 'listModels'], MODELS],
    [{ start: 'GET /v1/models' }, { start: 'GET /v1/models', headers: LAST }],
  ],
  [
    'a file and a message on one connection',
    [[200, 'keep-alive', 'docs'], MESSAGE],
    [get('/docs', { headers: '' }), { headers: LAST }],
  ],
  ['the models with a query', [MODELS], [get('/v1/models?limit=1')]],
  [
    'the models with a wrong key',
    [[401, 'close', 'listModels', 'invalid_api_key']],
    [get('/v1/models', { key: 'wrong' })],
  ],
  [
    'the models with too large a body',
    [[413, 'close', 'listModels', 'body_too_large']],
    [get('/v1/models', { body: 'x'.repeat(2 ** 20 + 1) })],
  ],
  [
    'answers in the order of their requests',
    [
      [404, 'keep-alive', 'unknown', 'not_found'],
      [400, 'keep-alive', 'unknown', 'malformed_request'],
      [405, 'keep-alive', 'unknown', 'method_not_allowed'],
      [200, 'keep-alive', 'healthz'],
      MODELS,
    ],
    [
      get('/nothing', { headers: '' }),
      get('/%zz', { headers: '' }),
      { ...by('PUT', '/v1/models'), headers: '' },
      get('/healthz', { headers: '' }),
      get('/v1/models'),
    ],
  ],
]

const answerText: App['answerText'] = async ({ body: { value } }, sink) => {
  if (value.model === 'vendorD/no') throw new ApiError('model_not_found')
  if (value.model === 'vendorD/bug') throw new Error('of ours')
  sink.begin({ status: 200, headers: { 'x-sluice-served-by': 'vendorD/m' }, body: '{}' })
}

describe('the wire table', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ app: memoryApp({ answerText }) })
  })
  afterAll(() => edge.close())

  test.each(SENT)('%s', async (_name, expected, sent) => {
    const before = edge.requests.length
    const answers = (await sendRaw(edge.port, ...sent.map(request))).filter(({ status }) => status >= 200)
    await expect.poll(() => edge.requests.length - before).toBe(expected.length)
    const logged = new Map(edge.requests.slice(before).map((one) => [one.requestId, one]))
    expect(
      answers.map(({ status, headers }) => {
        const { operation, code } = logged.get(headers['x-request-id'] ?? '') ?? {}
        return [status, headers.connection, operation, ...(code === undefined ? [] : [code])]
      }),
    ).toEqual(expected)
    expect(answers.every(isWhole)).toBe(true)
  })

  test('a client that ends its half of the connection gets its answer', async () => {
    const connection = openRaw(edge.port)
    onTestFinished(() => void connection.socket.destroy())
    connection.socket.end(request({ headers: '' }))
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([200])
  })

  test('a process that leaves closes the connection with every answer', async () => {
    const leaving = await startEdge({ app: memoryApp({ answerText }) })
    onTestFinished(() => leaving.close())
    leaving.drain.begin()
    const statuses = new Map<string, unknown>()
    for (const target of ['/v1/models', '/healthz', '/nothing', '/%zz']) {
      const [answer] = await sendRaw(leaving.port, request(get(target, { headers: '' })))
      statuses.set(target, [answer?.status, answer?.headers.connection])
    }
    expect(Object.fromEntries(statuses)).toEqual({
      '/v1/models': [200, 'close'],
      '/healthz': [200, 'close'],
      '/nothing': [404, 'close'],
      '/%zz': [400, 'close'],
    })
  })
})

/** It says how long it is, and is as long as it says. */
function isWhole({ headers, body }: Answer): boolean {
  return headers['content-length'] === String(Buffer.byteLength(body))
}
