import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Upstream, UpstreamCall } from '../../../src/adapters/outbound/upstream.ts'
import {
  CALL,
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'

describe('a call that its sender stops', () => {
  let scenario: UpstreamScenario
  /** Lets the vendor answer. */
  let gate: PromiseWithResolvers<void>
  beforeEach(async () => {
    scenario = await startUpstreamScenario()
    gate = Promise.withResolvers()
    scenario.answer = (_request, response) => void gate.promise.then(() => response.end('taken'))
  })
  afterEach(() => {
    gate.resolve()
    return scenario.close()
  })

  function send(upstream: Upstream, call: Partial<UpstreamCall> = {}) {
    const received: string[] = []
    const over = Promise.withResolvers<void>()
    const end = (word: string) => {
      received.push(word)
      over.resolve()
    }
    const sent = upstream.dispatch(
      { ...CALL, ...call },
      {
        onHead: ({ status }) => void received.push(String(status)),
        onChunk() {},
        onEnd: () => end('end'),
        onFailure: ({ kind, taken }) => end(`${kind}, taken: ${taken}`),
      },
    )
    return { received, over: over.promise, stop: () => sent.stop('aborted') }
  }

  const idle = { busy: 0, waiting: 0 }

  it('after the vendor got it: the call ends immediately, and its slot is free', async () => {
    const call = send(scenario.open())
    await expect.poll(() => scenario.requests.length).toBe(1)
    call.stop()
    call.stop()
    expect(call.received).toEqual(['aborted, taken: maybe'])
    await expect.poll(scenario.pool).toMatchObject(idle)
    expect(scenario.outcomes()).toEqual(['aborted'])
  })

  it('before it is connected: the vendor got nothing', async () => {
    const call = send(scenario.open())
    call.stop()
    expect(call.received).toEqual(['aborted, taken: no'])
    await expect.poll(scenario.pool).toMatchObject(idle)
    expect(scenario.requests).toEqual([])
  })

  it.each([
    ['without a signal of its own', {}],
    ['with a signal of its own', { signal: new AbortController().signal }],
  ])('in the queue, %s: it leaves, and is never sent', async (_name, call) => {
    const upstream = scenario.open({ connections: 1 })
    const first = send(upstream)
    const second = send(upstream, call)
    expect(scenario.pool()).toMatchObject({ busy: 1, waiting: 1 })
    second.stop()
    await second.over
    expect(second.received).toEqual(['aborted, taken: no'])
    expect(scenario.pool()).toMatchObject({ busy: 1, waiting: 0 })
    gate.resolve()
    await first.over
    await expect.poll(scenario.pool).toMatchObject(idle)
    expect(scenario.requests).toHaveLength(1)
  })

  it('at the moment when a slot becomes free', async () => {
    const upstream = scenario.open({ connections: 1 })
    const first = send(upstream)
    const second = send(upstream)
    first.stop()
    second.stop()
    await second.over
    expect(second.received).toEqual(['aborted, taken: no'])
    await expect.poll(scenario.pool).toMatchObject(idle)
    expect(scenario.requests).toEqual([])
  })

  it('after it waited, once it is sent', async () => {
    const upstream = scenario.open({ connections: 1 })
    const first = send(upstream)
    const second = send(upstream)
    await expect.poll(() => scenario.requests.length).toBe(1)
    first.stop()
    await expect.poll(() => scenario.requests.length).toBe(2)
    second.stop()
    expect(second.received).toEqual(['aborted, taken: maybe'])
    await expect.poll(scenario.pool).toMatchObject(idle)
  })

  it('after its end: nothing happens', async () => {
    gate.resolve()
    const call = send(scenario.open())
    await call.over
    call.stop()
    expect(call.received).toEqual(['200', 'end'])
    expect(scenario.outcomes()).toEqual(['2xx'])
  })
})
