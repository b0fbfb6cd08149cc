import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { NetworkError } from '../../../src/adapters/outbound/network-error.ts'
import type { Receiver } from '../../../src/adapters/outbound/receiver.ts'
import type { Upstream } from '../../../src/adapters/outbound/upstream.ts'
import { createLogBook } from '../../engines/cache/log-book.ts'
import { CALL, startUpstreamStory, type UpstreamStory } from '../../system/faults/harness/upstream-story.ts'

const FAULT = new Error('a fault of ours')

describe('a fault of ours', () => {
  let story: UpstreamStory
  beforeEach(async () => {
    story = await startUpstreamStory()
  })
  afterEach(() => story.close())

  /** Hears a call out; `throwIn` is where its receiver stumbles. */
  function hear(upstream: Upstream, call: Parameters<Upstream['dispatch']>[0], throwIn?: keyof Receiver) {
    const { promise, resolve } = Promise.withResolvers<{ heard: string[]; failure: NetworkError }>()
    const heard: string[] = []
    const take = (word: keyof Receiver) => {
      heard.push(word)
      if (word === throwIn) throw FAULT
    }
    upstream.dispatch(call, {
      onHead: () => take('onHead'),
      onChunk: () => take('onChunk'),
      onEnd: () => take('onEnd'),
      onFailure(failure) {
        resolve({ heard, failure })
        take('onFailure')
      },
    })
    return promise
  }

  it.each([
    ['onHead', ['onHead', 'onFailure']],
    ['onChunk', ['onHead', 'onChunk', 'onFailure']],
    ['onEnd', ['onHead', 'onChunk', 'onEnd', 'onFailure']],
  ] as const)('in %s is told to the receiver, once, and frees its place', async (throwIn, words) => {
    const { heard, failure } = await hear(story.open(), CALL, throwIn)
    expect(failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: FAULT })
    await expect.poll(story.pool).toMatchObject({ busy: 0 })
    expect(heard).toEqual(words)
    expect(story.outcomes()).toEqual([throwIn === 'onEnd' ? '2xx' : 'broken'])
  })

  it('in taking the end is not held against the vendor', async () => {
    const breaker = { failuresInARowToOpen: 1, windowMs: 1, windowCallsMin: 99, failureShareToOpen: 1 }
    const upstream = story.open({ breaker: { ...breaker, openMsMin: 60_000, openMsMax: 60_000 } })
    await hear(upstream, CALL, 'onEnd')
    await hear(upstream, CALL, 'onEnd')
    expect(story.requests).toHaveLength(2)
  })

  const unsendable = {
    ...CALL,
    get totalTimeoutMs(): number {
      throw FAULT
    },
  }

  it('while sending is told and logged', async () => {
    const log = createLogBook()
    const { failure } = await hear(story.open({ log }), unsendable)
    expect(failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: FAULT })
    expect(log.events).toEqual(['upstream.send_failed'])
  })

  it.each([
    ['a receiver that is well', undefined, ['upstream.send_failed']],
    ['one that stumbles over that too', 'onFailure', ['upstream.send_failed', 'upstream.end_failed']],
  ] as const)('while sending what had to wait is told to %s', async (_, throwIn, events) => {
    const log = createLogBook()
    const upstream = story.open({ log, connections: 1 })
    const gate = Promise.withResolvers<void>()
    story.answer = (_request, response) => void gate.promise.then(() => response.end('taken'))
    const first = upstream.request({ ...CALL, totalTimeoutMs: 20_000, maxBytes: 100 })
    const second = hear(upstream, unsendable, throwIn)
    gate.resolve()
    await first
    expect((await second).failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: FAULT })
    await expect.poll(story.pool).toMatchObject({ busy: 0, waiting: 0 })
    expect(log.events).toEqual(events)
  })
})

describe.each(['lean', 'undici'] as const)('a vendor that only announces, client: %s', (client) => {
  it('is given up when the limit for the first byte is over', async () => {
    const story = await startUpstreamStory(client)
    onTestFinished(() => story.close())
    story.answer = (_request, response) => {
      const announcing = setInterval(() => response.writeProcessing(), 5)
      response.on('close', () => clearInterval(announcing))
    }
    const upstream = story.open({ firstByteTimeoutMs: 100 })
    await expect(upstream.stream(CALL)).rejects.toMatchObject({ kind: 'timeout-first-byte', taken: 'maybe' })
    await expect.poll(story.pool).toMatchObject({ busy: 0 })
  })
})
