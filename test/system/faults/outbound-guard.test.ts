import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGuardedClient, type GuardedCall } from '../../../src/adapters/outbound/guarded-client.ts'
import type { Resolve } from '../../../src/adapters/outbound/resolve-name.ts'
import { type RecordedMetrics, recordMetrics } from './harness/recorded-metrics.ts'
import { startTlsTarget, type TlsTarget, trustTestAuthority } from './harness/tls-target.ts'

const LOOPBACK: string[] = ['127.0.0.0/8', '::1/128']

describe('the guarded client', () => {
  let target: TlsTarget
  let distrust: () => void
  let answer: RequestListener
  let requests: IncomingMessage[]
  let metrics: RecordedMetrics

  beforeAll(() => {
    distrust = trustTestAuthority()
  })
  afterAll(() => distrust())

  beforeEach(async () => {
    requests = []
    metrics = recordMetrics()
    answer = (_request, response) => response.end('taken')
    target = await startTlsTarget((request, response) => {
      requests.push(request)
      answer(request, response)
    })
  })
  afterEach(() => target.close())

  const open = ({ allow = LOOPBACK, resolve = to('127.0.0.1'), connections = 4 } = {}) => {
    const client = createGuardedClient({
      ...{ allow, resolve, connections, queueLimit: 16, queueWaitMs: 10_000, connectTimeoutMs: 10_000 },
      metrics,
    })
    const url = `https://callback.test:${target.port}/hook?a=1`
    return (call: Partial<GuardedCall>) =>
      client.send({
        holder: 'org_1',
        ...{ operation: 'try', url, method: 'GET', headers: {}, totalTimeoutMs: 10_000, maxBytes: 1_000 },
        ...call,
      })
  }
  const send = (call: Partial<GuardedCall>, options?: { allow?: string[]; resolve?: Resolve }) =>
    open(options)(call)

  it('delivers to an allowed address, with the name in TLS and in the Host header', async () => {
    answer = async (request, response) => response.writeHead(202).end(await text(request))
    const reply = await send({
      method: 'POST',
      body: '{"id":1}',
      headers: { 'content-type': 'application/json' },
    })
    expect({ status: reply.status, body: reply.body.toString() }).toEqual({ status: 202, body: '{"id":1}' })
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/hook?a=1' })
    expect(requests[0]?.headers.host).toBe(`callback.test:${target.port}`)
    expect(requests[0]?.headers).not.toHaveProperty('traceparent')
    expect(target.accepted).toEqual(['127.0.0.1'])
  })

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '127.0.0.1.', '[::ffff:127.0.0.1]'])(
    'delivers to %s if that is allowed, which proves that the counter counts',
    async (host) => {
      // A mapped address is in no certificate, so the handshake may fail; the connection is made all the same.
      await send({ url: `https://${host}:${target.port}/` }).catch(() => {})
      expect(target.accepted).toHaveLength(1)
    },
  )

  it.each([
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.000.000.001', '2130706433', '017700000001'],
    ...['0x7f000001', '0X7F.1', '0x7f.0.0.1', '0177.0.0.1', '0177.0.0.01', '00000177.0.0.1', '127.0.0.0x1'],
    ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '１２７.0.0.1', '127。0。0。1', '127．0．0．1', '①②⑦.0.0.1'],
    ...['0', '0.0.0.0', '0x0', '00', '127.0.0.2', '127.255.255.254', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
    ...[
      '[::ffff:127.0.0.1]',
      '[::FFFF:7F00:1]',
      '[0:0:0:0:0:ffff:7f00:0001]',
      '[::127.0.0.1]',
      '[::ffff:0.0.0.0]',
    ],
    ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::127.0.0.1]', '[2002:7f00:1::]'],
  ])('makes no connection to %s', async (host) => {
    await expect(send({ url: `https://${host}:${target.port}/` }, { allow: [] })).rejects.toMatchObject({
      kind: 'forbidden',
      taken: 'no',
    })
    expect(target.accepted).toEqual([])
  })

  it.each([
    ...[
      '127.0.0.1',
      '0.0.0.0',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
    ],
    ...['10.0.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%lo', 'fd00:ec2::254', '017700000001', '127.1', ''],
  ])('makes no connection when a name resolves to %j', async (address) => {
    await expect(send({}, { allow: [], resolve: to(address) })).rejects.toMatchObject({ kind: 'forbidden' })
    expect(target.accepted).toEqual([])
  })

  it('makes no connection for another scheme, user-info, a port of another service, or a name without address', async () => {
    const { port } = target
    for (const url of [
      `http://callback.test:${port}/`,
      `https://a:b@callback.test:${port}/`,
      'https://callback.test:22/',
    ]) {
      await expect(send({ url })).rejects.toMatchObject({ kind: 'forbidden', taken: 'no' })
    }
    await expect(send({}, { resolve: async () => [] })).rejects.toMatchObject({ kind: 'forbidden' })
    const unknown = send({}, { resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    await expect(unknown).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
    expect(target.accepted).toEqual([])
  })

  it('uses only the allowed addresses of a mixed answer', async () => {
    await send({}, { allow: ['127.0.0.1/32'], resolve: to('127.0.0.2', '10.0.0.1', '127.0.0.1', '::1') })
    expect(target.accepted).toEqual(['127.0.0.1'])
  })

  it('resolves a name once and connects to that address, though a second answer would differ', async () => {
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
    const resolve: Resolve = async () => [answers.shift() ?? '']
    expect((await send({}, { allow: ['127.0.0.1/32'], resolve })).status).toBe(200)
    expect(answers).toHaveLength(2)
    await expect(send({}, { allow: ['127.0.0.1/32'], resolve })).rejects.toMatchObject({ kind: 'forbidden' })
    expect(target.accepted).toEqual(['127.0.0.1'])
  })

  it('tries the next allowed address when one refuses the connection', async () => {
    const only = await startTlsTarget((_request, response) => response.end(), '127.0.0.1')
    try {
      const reply = await send(
        { url: `https://callback.test:${only.port}/` },
        { resolve: to('127.0.0.3', '127.0.0.2', '127.0.0.1') },
      )
      expect(reply.status).toBe(200)
    } finally {
      await only.close()
    }
  })

  it('is refused when no address takes the connection', async () => {
    const gone = await startTlsTarget(() => {}, '127.0.0.1')
    await gone.close()
    await expect(send({ url: `https://callback.test:${gone.port}/` })).rejects.toMatchObject({
      kind: 'refused',
      taken: 'no',
    })
  })

  it('does not send a request to a host whose certificate is for another name', async () => {
    const url = `https://other.test:${target.port}/`
    await expect(send({ url })).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
    expect(requests).toEqual([])
  })

  it('does not send a request to a host whose certificate is not trusted', async () => {
    distrust()
    try {
      await expect(send({})).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
      expect(requests).toEqual([])
    } finally {
      distrust = trustTestAuthority()
    }
  })

  it.each([301, 302, 303, 307, 308])('returns %i as an answer and does not follow it', async (status) => {
    answer = (request, response) =>
      response.writeHead(status, { location: `https://${request.headers.host}/elsewhere` }).end()
    expect(await send({ method: 'POST', body: 'x' })).toMatchObject({ status })
    expect(requests).toHaveLength(1)
    expect(target.accepted).toHaveLength(1)
  })

  it('accepts a body of the largest size and not one byte more', async () => {
    answer = (_request, response) => response.end('x'.repeat(1_000))
    expect((await send({})).body).toHaveLength(1_000)
    await expect(send({ maxBytes: 999 })).rejects.toMatchObject({ kind: 'too-large' })
  })

  it('waits for a bounded time, both for an answer and for a resolver', async () => {
    answer = () => {}
    // Long enough for the handshake, also on a machine that has other things to do.
    await expect(send({ totalTimeoutMs: 3_000 })).rejects.toMatchObject({
      kind: 'timeout-total',
      taken: 'maybe',
    })
    const silent = send({ totalTimeoutMs: 200 }, { resolve: () => new Promise(() => {}) })
    await expect(silent).rejects.toMatchObject({ kind: 'timeout-total', taken: 'no' })
  })

  it('frees its slot however a call ends', async () => {
    const sendOne = open({ connections: 1 })
    await sendOne({ maxBytes: 1 }).catch(() => {})
    await sendOne({ url: `https://other.test:${target.port}/` }).catch(() => {})
    await sendOne({ signal: AbortSignal.abort() }).catch(() => {})
    const replies = await Promise.all([sendOne({}), sendOne({}), sendOne({})])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('frees its slot when a call cannot be sent', async () => {
    const sendOne = open({ connections: 1 })
    const unsendable = sendOne({ headers: { 'x-mark': 'a\r\nb' } })
    await expect(unsendable).rejects.toMatchObject({ kind: 'forbidden', taken: 'no' })
    const stubborn = new AbortController().signal
    stubborn.addEventListener = () => {
      throw new Error('no more listeners')
    }
    await expect(sendOne({ signal: stubborn })).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
    expect((await sendOne({})).status).toBe(200)
  })

  it('counts the outcomes of calls by operation', async () => {
    const sendOne = open({
      resolve: async (hostname) => (hostname === 'inner.test' ? ['10.0.0.1'] : ['127.0.0.1']),
    })
    await sendOne({ operation: 'callback' })
    answer = (_request, response) => response.writeHead(503).end()
    await sendOne({ operation: 'media' })
    for (const url of ['not a URL', 'http://callback.test/', 'https://inner.test/']) {
      await sendOne({ operation: 'media', url }).catch(() => {})
    }
    await sendOne({ operation: 'callback', signal: AbortSignal.abort() }).catch(() => {})
    expect(metrics.upstreamCalls).toMatchObject([
      { provider: 'guarded', operation: 'callback', outcome: '2xx', seconds: expect.any(Number) },
      { provider: 'guarded', operation: 'media', outcome: '5xx' },
      ...Array(3).fill({ provider: 'guarded', operation: 'media', outcome: 'forbidden' }),
      { provider: 'guarded', operation: 'callback', outcome: 'aborted' },
    ])
    expect(metrics.upstreamCalls).toHaveLength(6)
  })

  it('ends immediately when the caller gives up, before and after it is sent', async () => {
    await expect(send({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
      taken: 'no',
    })
    expect(target.accepted).toEqual([])
    const caller = new AbortController()
    answer = () => caller.abort()
    await expect(send({ signal: caller.signal })).rejects.toMatchObject({ kind: 'aborted', taken: 'maybe' })
  })
})

function to(...addresses: string[]): Resolve {
  return async () => addresses
}
