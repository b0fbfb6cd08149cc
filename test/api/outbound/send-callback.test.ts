import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCallbackSender } from '../../../src/adapters/callbacks/send-callback.ts'
import { createGuardedClient } from '../../../src/adapters/outbound/guarded-client.ts'
import { NetworkError } from '../../../src/adapters/outbound/network-error.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'
import { startTlsTarget, type TlsTarget, trustTestAuthority } from '../../system/faults/harness/tls-target.ts'

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`

let distrust: () => void
let target: TlsTarget | undefined

beforeAll(() => {
  distrust = trustTestAuthority()
})
afterEach(async () => {
  await target?.close()
  target = undefined
})
afterAll(() => distrust())

function openSender(allow = ['127.0.0.0/8']) {
  const bounds = { connections: 8, queueLimit: 8, queueWaitMs: 5_000, connectTimeoutMs: 5_000 }
  return createCallbackSender({ client: createGuardedClient({ ...bounds, allow, metrics: SILENT_METRICS }) })
}

async function send({
  listener,
  allow,
  scheme = 'https',
  signal = new AbortController().signal,
}: {
  listener: RequestListener
  allow?: string[]
  scheme?: string
  signal?: AbortSignal
}) {
  target = await startTlsTarget(listener, '127.0.0.1')
  const url = `${scheme}://127.0.0.1:${target.port}/hook?a=1`
  return openSender(allow)(
    { id: 'msg_1', organizationId: 'org_1', url, body: '{"a":"ü"}', atMs: 0, secrets: [SECRET] },
    signal,
  )
}

test.each([200, 204, 301, 404, 503])(
  'an answer of %i is reported, and a redirect is not followed',
  async (status) => {
    const seen: string[] = []
    const delivery = await send({
      listener: (request, response) => {
        seen.push(`${request.method} ${request.url}`)
        response.writeHead(status, { location: '/elsewhere' }).end()
      },
    })
    expect(delivery).toEqual({ kind: 'answered', status })
    expect(seen).toEqual(['POST /hook?a=1'])
  },
)

test('the body arrives byte for byte, as JSON', async () => {
  let got: unknown
  await send({
    listener: async (request, response) => {
      const chunks = await request.toArray()
      got = { type: request.headers['content-type'], body: Buffer.concat(chunks).toString() }
      response.end()
    },
  })
  expect(got).toEqual({ type: 'application/json', body: '{"a":"ü"}' })
})

test('an answer that is longer than we read keeps its status', async () => {
  const delivery = await send({
    listener: (_request, response) => {
      response.writeHead(200)
      response.on('error', () => {})
      response.end(Buffer.alloc(8 * 1024 * 1024))
    },
  })
  expect(delivery).toEqual({ kind: 'answered', status: 200 })
})

test('an answer that is cut off after its status counts by its status', async () => {
  const delivery = await send({
    listener: (request, response) => {
      response.writeHead(202, { 'content-length': '100' })
      response.write('half', () => request.socket.destroy())
    },
  })
  expect(delivery).toEqual({ kind: 'answered', status: 202 })
})

test('a connection that closes without an answer may be retried', async () => {
  const delivery = await send({ listener: (request) => request.socket.destroy() })
  expect(delivery).toEqual({ kind: 'failed', word: 'broken', mayBeRepeated: true })
})

test('an aborted wait is reported as aborted', async () => {
  const leaving = new AbortController()
  const delivery = await send({ listener: () => leaving.abort(), signal: leaving.signal })
  expect(delivery).toEqual({ kind: 'failed', word: 'aborted', mayBeRepeated: true })
})

test.each([
  ['a private address', { allow: [] }],
  ['anything but HTTPS', { scheme: 'http' }],
])('%s is never connected to, and trying again is useless', async (_name, more) => {
  const delivery = await send({ listener: (_request, response) => response.end(), ...more })
  expect(delivery).toEqual({ kind: 'failed', word: 'forbidden', mayBeRepeated: false })
  expect(target?.accepted).toEqual([])
})

test.each(['busy', 'aborted'] as const)(
  'a callback that failed before it was sent, because of %s, counts as not sent',
  async (kind) => {
    const client = { send: () => Promise.reject(new NetworkError(kind, { taken: 'no' })) }
    const message = {
      id: 'msg_1',
      organizationId: 'org_1',
      url: 'https://a.example/',
      body: '{}',
      atMs: 0,
      secrets: [SECRET],
    }
    const delivery = await createCallbackSender({ client })(message, new AbortController().signal)
    expect(delivery).toEqual({ kind: 'not-sent' })
  },
)

test('an unreachable receiver uses up an attempt', async () => {
  const client = { send: () => Promise.reject(new NetworkError('refused', { taken: 'no' })) }
  const message = {
    id: 'msg_1',
    organizationId: 'org_1',
    url: 'https://a.example/',
    body: '{}',
    atMs: 0,
    secrets: [SECRET],
  }
  const delivery = await createCallbackSender({ client })(message, new AbortController().signal)
  expect(delivery).toEqual({ kind: 'failed', word: 'refused', mayBeRepeated: true })
})
