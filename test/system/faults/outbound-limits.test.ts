import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CALL, startUpstreamStory, type UpstreamStory, WHOLE } from './harness/upstream-story.ts'

describe('the limits of an upstream', () => {
  let story: UpstreamStory

  beforeEach(async () => {
    story = await startUpstreamStory()
  })
  afterEach(() => story.close())

  it('runs so many calls at once, queues so many more, and is busy for the rest', async () => {
    const held: (() => void)[] = []
    story.answer = (_request, response) => held.push(() => response.end('taken'))
    const upstream = story.open()
    const calls = [1, 2, 3, 4].map(() => upstream.request(WHOLE))
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    await expect.poll(() => story.requests.length).toBe(2)
    expect(story.pool()).toMatchObject({ busy: 2, waiting: 2 })
    story.answer = (_request, response) => response.end('taken')
    for (const release of held) release()
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(story.proxy.counts.connections).toBe(2)
  })

  it('is busy for one who waited too long', async () => {
    story.answer = () => {}
    const upstream = story.open({ connections: 1, queueWaitMs: 100 })
    const first = upstream.request({ ...WHOLE, totalTimeoutMs: 1_000 })
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    await expect(first).rejects.toMatchObject({ kind: 'timeout-total' })
  })

  it('opens its breaker after five failures, refuses without a connection, and recovers by one probe', async () => {
    let nowMs = 0
    const upstream = story.open({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    story.answer = (_request, response) => response.writeHead(503).end()
    for (let call = 0; call < 5; call += 1) expect((await upstream.request(WHOLE)).status).toBe(503)
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({
      kind: 'breaker-open',
      taken: 'no',
      retryAfterMs: 5_000,
    })
    expect(story.requests).toHaveLength(5)

    nowMs += 5_000
    story.answer = (_request, response) => response.end('back')
    const probe = upstream.request(WHOLE)
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'breaker-open' })
    expect((await probe).status).toBe(200)
    expect((await upstream.request(WHOLE)).status).toBe(200)
    expect(story.metrics.breakerStates).toEqual(['closed', 'open', 'half-open', 'closed'])
    expect(story.outcomes()).toEqual([...Array(5).fill('5xx'), 'breaker-open', 'breaker-open', '2xx', '2xx'])
  })

  it('lets no call wait for a slot that the probe holds', async () => {
    let nowMs = 0
    const upstream = story.open({ connections: 1, clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    await story.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await story.proxy.setMode({ kind: 'hang' })
    nowMs += 5_000
    const probe = upstream.request(WHOLE)
    await expect(upstream.request(WHOLE)).rejects.toMatchObject({ kind: 'breaker-open' })
    await story.proxy.setMode({ kind: 'pass' })
    expect((await probe).status).toBe(200)
  })

  it('does not open its breaker for 4xx and 429', async () => {
    const upstream = story.open()
    story.answer = (_request, response) => response.writeHead(429).end()
    for (let call = 0; call < 30; call += 1) expect((await upstream.request(WHOLE)).status).toBe(429)
    expect(story.metrics.breakerStates).toEqual(['closed'])
  })

  it('closes its breaker at the head of a streamed answer, not at its end', async () => {
    let nowMs = 0
    const upstream = story.open({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    await story.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await story.proxy.setMode({ kind: 'pass' })
    nowMs += 5_000
    story.answer = (_request, response) => response.write('data: 1\n\n')
    const { body } = await upstream.stream(CALL)
    expect(story.metrics.breakerStates.at(-1)).toBe('closed')
    body.destroy()
  })

  it('frees the probe of a caller who gave up', async () => {
    let nowMs = 0
    const upstream = story.open({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    await story.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await story.proxy.setMode({ kind: 'pass' })
    nowMs += 5_000
    const caller = new AbortController()
    story.answer = () => caller.abort()
    await expect(upstream.request({ ...WHOLE, signal: caller.signal })).rejects.toMatchObject({
      kind: 'aborted',
    })
    story.answer = (_request, response) => response.end()
    expect((await upstream.request(WHOLE)).status).toBe(200)
  })

  it('frees the probe and its place when the call cannot even begin', async () => {
    let nowMs = 0
    const upstream = story.open({ connections: 1, clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    await story.proxy.setMode({ kind: 'refuse' })
    for (let call = 0; call < 5; call += 1) await upstream.request(WHOLE).catch(() => {})
    await story.proxy.setMode({ kind: 'pass' })
    nowMs += 5_000
    const stubborn = new AbortController().signal
    stubborn.addEventListener = () => {
      throw new Error('no more listeners')
    }
    await expect(upstream.request({ ...WHOLE, signal: stubborn })).rejects.toMatchObject({
      kind: 'broken',
      cause: { message: 'no more listeners' },
    })
    expect(story.metrics.breakerStates).toEqual(['closed', 'open', 'half-open', 'open'])
    expect((await upstream.request(WHOLE)).status).toBe(200)
    expect(story.metrics.breakerStates.at(-1)).toBe('closed')
  })
})
