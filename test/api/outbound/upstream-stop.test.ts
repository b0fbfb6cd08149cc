import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Upstream, UpstreamCall } from '../../../src/adapters/outbound/upstream.ts'
import { CALL, startUpstreamStory, type UpstreamStory } from '../../system/faults/harness/upstream-story.ts'

describe('a call that its sender stops', () => {
  let story: UpstreamStory
  /** Lets the vendor answer. */
  let gate: PromiseWithResolvers<void>
  beforeEach(async () => {
    story = await startUpstreamStory()
    gate = Promise.withResolvers()
    story.answer = (_request, response) => void gate.promise.then(() => response.end('taken'))
  })
  afterEach(() => {
    gate.resolve()
    return story.close()
  })

  function send(upstream: Upstream, call: Partial<UpstreamCall> = {}) {
    const heard: string[] = []
    const over = Promise.withResolvers<void>()
    const end = (word: string) => {
      heard.push(word)
      over.resolve()
    }
    const sent = upstream.dispatch(
      { ...CALL, ...call },
      {
        onHead: ({ status }) => void heard.push(String(status)),
        onChunk() {},
        onEnd: () => end('end'),
        onFailure: ({ kind, taken }) => end(`${kind}, taken: ${taken}`),
      },
    )
    return { heard, over: over.promise, stop: () => sent.stop('aborted') }
  }

  const idle = { busy: 0, waiting: 0 }

  it('after the vendor has it: it ends at once, and its place is free', async () => {
    const call = send(story.open())
    await expect.poll(() => story.requests.length).toBe(1)
    call.stop()
    call.stop()
    expect(call.heard).toEqual(['aborted, taken: maybe'])
    await expect.poll(story.pool).toMatchObject(idle)
    expect(story.outcomes()).toEqual(['aborted'])
  })

  it('before it is connected: nothing was taken', async () => {
    const call = send(story.open())
    call.stop()
    expect(call.heard).toEqual(['aborted, taken: no'])
    await expect.poll(story.pool).toMatchObject(idle)
    expect(story.requests).toEqual([])
  })

  it.each([
    ['without a signal of its own', {}],
    ['with one', { signal: new AbortController().signal }],
  ])('in the queue, %s: it leaves, and is never sent', async (_name, call) => {
    const upstream = story.open({ connections: 1 })
    const first = send(upstream)
    const second = send(upstream, call)
    expect(story.pool()).toMatchObject({ busy: 1, waiting: 1 })
    second.stop()
    await second.over
    expect(second.heard).toEqual(['aborted, taken: no'])
    expect(story.pool()).toMatchObject({ busy: 1, waiting: 0 })
    gate.resolve()
    await first.over
    await expect.poll(story.pool).toMatchObject(idle)
    expect(story.requests).toHaveLength(1)
  })

  it('in the very moment in which a place comes free', async () => {
    const upstream = story.open({ connections: 1 })
    const first = send(upstream)
    const second = send(upstream)
    first.stop()
    second.stop()
    await second.over
    expect(second.heard).toEqual(['aborted, taken: no'])
    await expect.poll(story.pool).toMatchObject(idle)
    expect(story.requests).toEqual([])
  })

  it('after it waited, once it is sent', async () => {
    const upstream = story.open({ connections: 1 })
    const first = send(upstream)
    const second = send(upstream)
    await expect.poll(() => story.requests.length).toBe(1)
    first.stop()
    await expect.poll(() => story.requests.length).toBe(2)
    second.stop()
    expect(second.heard).toEqual(['aborted, taken: maybe'])
    await expect.poll(story.pool).toMatchObject(idle)
  })

  it('after its end: nothing happens', async () => {
    gate.resolve()
    const call = send(story.open())
    await call.over
    call.stop()
    expect(call.heard).toEqual(['200', 'end'])
    expect(story.outcomes()).toEqual(['2xx'])
  })
})
