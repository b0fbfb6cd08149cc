import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CALL, startUpstreamScenario, type UpstreamScenario, WHOLE } from './harness/upstream-scenario.ts'

describe('the limits of an upstream', () => {
  let scenario: UpstreamScenario

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
  })
  afterEach(() => scenario.close())

  it('runs and queues a limited number of calls, and is busy for the rest', async () => {
    const held: (() => void)[] = []
    scenario.answer = (_request, response) => held.push(() => response.end('taken'))
    const upstream = scenario.open()
    const calls = [1, 2, 3, 4].map(() => upstream.request(WHOLE))
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    await expect.poll(() => scenario.requests.length).toBe(2)
    expect(scenario.pool()).toMatchObject({ busy: 2, waiting: 2 })
    scenario.answer = (_request, response) => response.end('taken')
    for (const release of held) release()
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(scenario.proxy.counts.connections).toBe(2)
  })

  it('is busy for a call that waited too long', async () => {
    scenario.answer = () => {}
    const upstream = scenario.open({ connections: 1, queueWaitMs: 100 })
    const first = upstream.request({ ...WHOLE, totalTimeoutMs: 1_000 })
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    await expect(first).rejects.toMatchObject({ kind: 'timeout-total' })
  })

  it('opens its breaker after five failures, refuses without a connection, and recovers by one probe', async () => {
    let nowMs = 0
    const upstream = scenario.open({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    scenario.answer = (_request, response) => response.writeHead(503).end()
    for (let call = 0; call < 5; call += 1) expect((await upstream.request(WHOLE)).status).toBe(503)
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({
      kind: 'breaker-open',
      taken: 'no',
      retryAfterMs: 5_000,
    })
    expect(scenario.requests).toHaveLength(5)

    nowMs += 5_000
    scenario.answer = (_request, response) => response.end('back')
    const probe = upstream.request(WHOLE)
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'breaker-open' })
    expect((await probe).status).toBe(200)
    expect((await upstream.request(WHOLE)).status).toBe(200)
    expect(scenario.metrics.breakerStates).toEqual(['closed', 'open', 'half-open', 'closed'])
    expect(scenario.outcomes()).toEqual([
      ...Array(5).fill('5xx'),
      'breaker-open',
      'breaker-open',
      '2xx',
      '2xx',
    ])
  })

  it('lets no call wait for a slot that the probe holds', async () => {
    let nowMs = 0
    const upstream = scenario.open({
      connections: 1,
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    })
    await scenario.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await scenario.proxy.setMode({ kind: 'hang' })
    nowMs += 5_000
    const probe = upstream.request(WHOLE)
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'breaker-open' })
    await scenario.proxy.setMode({ kind: 'pass' })
    expect((await probe).status).toBe(200)
  })

  it('does not open its breaker for 4xx and 429', async () => {
    const upstream = scenario.open()
    scenario.answer = (_request, response) => response.writeHead(429).end()
    for (let call = 0; call < 30; call += 1) expect((await upstream.request(WHOLE)).status).toBe(429)
    expect(scenario.metrics.breakerStates).toEqual(['closed'])
  })

  it('closes its breaker at the head of a streamed answer, not at its end', async () => {
    let nowMs = 0
    const upstream = scenario.open({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    await scenario.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await scenario.proxy.setMode({ kind: 'pass' })
    nowMs += 5_000
    scenario.answer = (_request, response) => response.write('data: 1\n\n')
    const { body } = await upstream.stream(CALL)
    expect(scenario.metrics.breakerStates.at(-1)).toBe('closed')
    body.destroy()
  })

  it('frees the probe of an aborted call', async () => {
    let nowMs = 0
    const upstream = scenario.open({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    await scenario.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await scenario.proxy.setMode({ kind: 'pass' })
    nowMs += 5_000
    const caller = new AbortController()
    scenario.answer = () => caller.abort()
    await expect(upstream.request({ ...WHOLE, signal: caller.signal })).rejects.toMatchObject({
      kind: 'aborted',
    })
    scenario.answer = (_request, response) => response.end()
    expect((await upstream.request(WHOLE)).status).toBe(200)
  })

  it('frees the probe and its slot when the call cannot even begin', async () => {
    let nowMs = 0
    const upstream = scenario.open({
      connections: 1,
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    })
    await scenario.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await scenario.proxy.setMode({ kind: 'pass' })
    nowMs += 5_000
    const stubborn = new AbortController().signal
    stubborn.addEventListener = () => {
      throw new Error('no more listeners')
    }
    await expect(upstream.request({ ...WHOLE, signal: stubborn })).rejects.toMatchObject({
      kind: 'broken',
      cause: { message: 'no more listeners' },
    })
    expect(scenario.metrics.breakerStates).toEqual(['closed', 'open', 'half-open', 'open'])
    expect((await upstream.request(WHOLE)).status).toBe(200)
    expect(scenario.metrics.breakerStates.at(-1)).toBe('closed')
  })
})
