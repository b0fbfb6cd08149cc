import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startUpstreamScenario, type UpstreamScenario, WHOLE } from './harness/upstream-scenario.ts'

describe.each(['lean', 'undici'] as const)('an upstream that %s speaks to', (client) => {
  let scenario: UpstreamScenario

  beforeEach(async () => {
    scenario = await startUpstreamScenario(client)
  })
  afterEach(() => scenario.close())

  it('returns the whole answer, and counts it', async () => {
    scenario.answer = async (request, response) => {
      response.writeHead(201, { 'x-mark': 'yes' }).end(`${request.headers['x-key']} ${await text(request)}`)
    }
    const call = { ...WHOLE, method: 'POST', path: '/tasks', query: { a: '1' }, body: 'hi' } as const
    const reply = await scenario.open().request({ ...call, headers: { 'x-key': 'k' } })
    expect(reply).toMatchObject({ status: 201, headers: { 'x-mark': 'yes' } })
    expect(reply.body.toString()).toBe('k hi')
    expect(scenario.requests).toEqual(['POST /api/tasks?a=1'])
    expect(scenario.metrics.upstreamCalls).toMatchObject([
      { provider: 'vendorX', operation: 'try', outcome: '2xx', seconds: expect.any(Number) },
    ])
    await expect.poll(scenario.pool).toEqual({ busy: 0, idle: 1, waiting: 0 })
  })

  describe('sends megabytes in pieces', () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 7, 'a piece of ')
    const call = { ...WHOLE, method: 'POST', path: '/tasks', body: bytes } as const

    it('of an announced length', async () => {
      scenario.answer = async (request, response) => {
        const came = await buffer(request)
        response.end(`${request.headers['content-length']} ${came.equals(bytes)}`)
      }
      expect((await scenario.open().request(call)).body.toString()).toBe(`${bytes.length} true`)
      await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
    })

    it('and gets an answer that arrives before the last byte is sent', async () => {
      scenario.answer = (_request, response) => response.writeHead(413).end('too large')
      const reply = await scenario.open().request(call)
      expect(reply).toMatchObject({ status: 413 })
      await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
    })

    it('but sends nothing without a server', async () => {
      await scenario.proxy.setMode({ kind: 'refuse' })
      await expect(scenario.open().request(call)).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
    })
  })

  it('sends nothing to another origin than its own', async () => {
    const upstream = scenario.open()
    for (const path of ['http://127.0.0.1:1/api', 'https://evil.example/', '/../admin']) {
      await expect(upstream.request({ ...WHOLE, path })).rejects.toMatchObject({
        kind: 'forbidden',
        taken: 'no',
      })
    }
    expect(scenario.proxy.counts.connections).toBe(0)
  })

  it('does not follow a redirect', async () => {
    scenario.answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()
    expect((await scenario.open().request(WHOLE)).status).toBe(302)
    expect(scenario.requests).toHaveLength(1)
  })

  it('refused: the vendor got nothing', async () => {
    await scenario.proxy.setMode({ kind: 'refuse' })
    await expect(scenario.open().request(WHOLE)).rejects.toMatchObject({ kind: 'refused', taken: 'no' })
    expect(scenario.outcomes()).toEqual(['refused'])
  })

  it('silent: the vendor may have got it', async () => {
    await scenario.proxy.setMode({ kind: 'hang' })
    const call = scenario.open({ firstByteTimeoutMs: 200 }).request(WHOLE)
    await expect(call).rejects.toMatchObject({ kind: 'timeout-first-byte', taken: 'maybe' })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
  })

  it('silent after a beginning', async () => {
    scenario.answer = (_request, response) => response.write('half')
    const call = scenario.open({ idleTimeoutMs: 200 }).request(WHOLE)
    await expect(call).rejects.toMatchObject({ kind: 'timeout-idle', taken: 'maybe' })
  })

  it('dripping without end: bounded by the total limit', async () => {
    await scenario.proxy.setMode({ kind: 'drip', bytes: 1, everyMs: 20 })
    const call = scenario.open().request({ ...WHOLE, totalTimeoutMs: 300 })
    await expect(call).rejects.toMatchObject({ kind: 'timeout-total' })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
  })

  it('dripping, but fast enough', async () => {
    await scenario.proxy.setMode({ kind: 'drip', bytes: 16, everyMs: 1 })
    expect((await scenario.open().request(WHOLE)).body.toString()).toBe('taken')
  })

  it('reset before the answer', async () => {
    scenario.answer = (request) => request.socket.resetAndDestroy()
    await expect(scenario.open().request(WHOLE)).rejects.toMatchObject({ kind: 'broken', taken: 'maybe' })
    expect(scenario.requests).toHaveLength(1)
  })

  it.each([0, 1, 20, 60, 200])(
    'cut after %i bytes of the answer: never a success, never sent twice',
    async (bytes) => {
      scenario.answer = (_request, response) =>
        response.writeHead(200, { 'content-length': 1_000 }).end('x'.repeat(1_000))
      await scenario.proxy.setMode({ kind: 'cut-after', direction: 'to-client', bytes })
      await expect(scenario.open().request(WHOLE)).rejects.toMatchObject({ kind: 'broken', taken: 'maybe' })
      expect(scenario.requests).toHaveLength(1)
    },
  )

  it('cut in the middle of a chunked answer', async () => {
    scenario.answer = (_request, response) => {
      response.write('x'.repeat(1_000))
      response.end('y'.repeat(1_000))
    }
    await scenario.proxy.setMode({ kind: 'half-close', direction: 'to-client', bytes: 700 })
    await expect(scenario.open().request(WHOLE)).rejects.toMatchObject({ kind: 'broken', taken: 'maybe' })
  })

  it('cut in the middle of the request', async () => {
    await scenario.proxy.setMode({ kind: 'cut-after', direction: 'to-target', bytes: 10 })
    const call = scenario.open().request({ ...WHOLE, method: 'POST', body: 'x'.repeat(100_000) })
    await expect(call).rejects.toMatchObject({ kind: 'broken', taken: 'maybe' })
  })

  it.each([
    'garbage\r\n\r\n',
    'HTTP/1.1 two hundred\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
    '\0\0\0',
  ])('answers that are not HTTP: %j', async (bytes) => {
    scenario.answer = (request) => request.socket.end(bytes)
    await expect(scenario.open().request(WHOLE)).rejects.toMatchObject({ kind: 'broken', taken: 'maybe' })
  })

  it('more than the caller can take', async () => {
    scenario.answer = (_request, response) => response.end('x'.repeat(100_001))
    await expect(scenario.open().request({ ...WHOLE, maxBytes: 100_000 })).rejects.toMatchObject({
      kind: 'too-large',
    })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
  })

  it('given up by the caller: before, while waiting for a connection, and after it was sent', async () => {
    const upstream = scenario.open()
    await expect(upstream.request({ ...WHOLE, signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'aborted',
      taken: 'no',
    })
    expect(scenario.proxy.counts.connections).toBe(0)
    const early = new AbortController()
    const connecting = upstream.request({ ...WHOLE, signal: early.signal })
    early.abort()
    await expect(connecting).rejects.toMatchObject({ kind: 'aborted', taken: 'no' })
    const late = new AbortController()
    scenario.answer = () => late.abort()
    await expect(upstream.request({ ...WHOLE, signal: late.signal })).rejects.toMatchObject({
      kind: 'aborted',
      taken: 'maybe',
    })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0, waiting: 0 })
    expect(scenario.requests).toHaveLength(1)
  })
})
