import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { Answer } from './answer.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

const BODY = JSON.stringify({ model: 'vendorD/m', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] })
const INPUT = JSON.stringify({ model: 'vendorD/m', input: 'x' })

interface Sent {
  start?: string
  key?: string
  headers?: string
  body?: string
}

const request = ({ start = 'POST /v1/messages', key = KEY, headers = '', body = BODY }: Sent) =>
  `${start} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\ncompat-version: 2023-06-01\r\n` +
  `Content-Length: ${body.length}\r\n${headers}\r\n${body}`

const LAST = 'Connection: close\r\n'
const UPGRADE = 'Connection: upgrade\r\nUpgrade: websocket\r\n'

/** What a client may send to the hot addresses, and around them. */
const SENT: [string, number[], Sent[]][] = [
  ['a message', [200], [{ headers: LAST }]],
  ['a response', [200], [{ start: 'POST /v1/responses', body: INPUT, headers: LAST }]],
  ['two on one connection', [200, 200], [{}, { headers: LAST }]],
  ['both kinds on one connection', [200, 200], [{}, { start: 'POST /v1/messages?', headers: LAST }]],
  ['a query', [200], [{ start: 'POST /v1/messages?beta=true', headers: LAST }]],
  ['a fragment', [200], [{ start: 'POST /v1/messages#x', headers: LAST }]],
  ['an escaped letter', [200], [{ start: 'POST /v1/%6dessages', headers: LAST }]],
  ['a slash at the end', [404], [{ start: 'POST /v1/messages/', headers: LAST }]],
  ['two slashes', [404], [{ start: 'POST //v1/messages', headers: LAST }]],
  ['capital letters', [404], [{ start: 'POST /V1/messages', headers: LAST }]],
  ['a whole address', [200], [{ start: 'POST http://x/v1/messages', headers: LAST }]],
  ['another method', [405], [{ start: 'PUT /v1/messages', headers: LAST }]],
  ['a wrong key', [401], [{ key: 'wrong', headers: LAST }]],
  ['two keys', [401], [{ headers: `${LAST}Authorization: Bearer other\r\n` }]],
  ['no version', [400], [{ body: INPUT, headers: LAST }]],
  ['no JSON', [400], [{ body: '[', headers: LAST }]],
  ['no body', [400], [{ body: '', headers: LAST }]],
  ['another type', [415], [{ headers: `${LAST}Content-Type: text/plain\r\n` }]],
  ['an unknown expectation', [417], [{ headers: `${LAST}Expect: cake\r\n` }]],
  ['an expectation', [100, 200], [{ headers: `${LAST}Expect: 100-continue\r\n` }]],
  ['an upgrade', [200], [{ headers: UPGRADE }]],
  ['long headers', [431], [{ headers: `${LAST}X: ${'a'.repeat(33 * 1024)}\r\n` }]],
  ['a model that is refused', [404], [{ body: BODY.replace('vendorD/m', 'vendorD/no'), headers: LAST }]],
  ['a fault of ours', [500], [{ body: BODY.replace('vendorD/m', 'vendorD/bug'), headers: LAST }]],
  ['the models', [200], [{ start: 'GET /v1/models', body: '', headers: LAST }]],
  [
    'the models with a body',
    [200, 200],
    [{ start: 'GET /v1/models' }, { start: 'GET /v1/models', headers: LAST }],
  ],
  ['the models and a message', [200, 200], [{ start: 'GET /v1/models', body: '' }, { headers: LAST }]],
  ['the models with a query', [200], [{ start: 'GET /v1/models?limit=1', body: '', headers: LAST }]],
  ['the models for an upgrade', [200], [{ start: 'GET /v1/models', body: '', headers: UPGRADE }]],
  [
    'the models with a wrong key',
    [401],
    [{ start: 'GET /v1/models', key: 'wrong', body: '', headers: LAST }],
  ],
  [
    'the models with too large a body',
    [413],
    [{ start: 'GET /v1/models', body: 'x'.repeat(2 ** 20 + 1), headers: LAST }],
  ],
  ['the models by POST', [405], [{ start: 'POST /v1/models', headers: LAST }]],
]

const answerText: App['answerText'] = async ({ body: { value } }, sink) => {
  if (value.model === 'vendorD/no') throw new ApiError('model_not_found')
  if (value.model === 'vendorD/bug') throw new Error('of ours')
  sink.begin({ status: 200, headers: { 'x-sluice-served-by': 'vendorD/m' }, body: '{}' })
}

describe('the short way', () => {
  let short: Edge
  let framework: Edge
  beforeAll(async () => {
    short = await startEdge({ app: memoryApp({ answerText }) })
    framework = await startEdge({ app: memoryApp({ answerText }), ways: 'framework' })
  })
  afterAll(() => Promise.all([short.close(), framework.close()]))

  const ask = async (edge: Edge, sent: readonly Sent[]) => {
    const [lines, requests] = [edge.lines.length, edge.requests.length]
    const answers = await sendRaw(edge.port, ...sent.map(request))
    const counted = answers.filter(({ status }) => status >= 200).length
    await expect.poll(() => edge.requests.length - requests).toBe(counted)
    return {
      statuses: answers.map(({ status }) => status),
      answers: answers.map(comparable),
      lines: edge.lines.slice(lines).map(({ level, event }) => ({ level, event })),
      requests: edge.requests.slice(requests).map(({ requestId: _, ...rest }) => rest),
      finished: edge.finished.slice(requests).map(({ operation, status }) => ({ operation, status })),
    }
  }

  test.each(SENT)('answers, counts and logs %s as the framework does: %j', async (_name, statuses, sent) => {
    const answered = await ask(short, sent)
    expect(answered.statuses).toEqual(statuses)
    expect(answered).toEqual(await ask(framework, sent))
  })
})

/** Without what differs between any two answers. */
function comparable({ status, headers, body }: Answer): object {
  const { 'x-request-id': id = 'none', date: _, ...rest } = headers
  return JSON.parse(JSON.stringify({ status, headers: rest, body }).replaceAll(id, 'ID'))
}
