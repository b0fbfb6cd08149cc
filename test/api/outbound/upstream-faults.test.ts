import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { NetworkError } from '../../../src/adapters/outbound/network-error.ts'
import type { Receiver } from '../../../src/adapters/outbound/receiver.ts'
import type { Upstream } from '../../../src/adapters/outbound/upstream.ts'
import { createLogBook } from '../../engines/cache/log-book.ts'
import {
  CALL,
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'

const FAULT = new Error('a fault of ours')

describe('a fault of ours', () => {
  let scenario: UpstreamScenario
  beforeEach(async () => {
    scenario = await startUpstreamScenario()
  })
  afterEach(() => scenario.close())

  /** Sends a call and records what its receiver gets; in `throwIn` the receiver throws. */
  function hear(upstream: Upstream, call: Parameters<Upstream['dispatch']>[0], throwIn?: keyof Receiver) {
    const { promise, resolve } = Promise.withResolvers<{ received: string[]; failure: NetworkError }>()
    const received: string[] = []
    const take = (word: keyof Receiver) => {
      received.push(word)
      if (word === throwIn) throw FAULT
    }
    upstream.dispatch(call, {
      onHead: () => take('onHead'),
      onChunk: () => take('onChunk'),
      onEnd: () => take('onEnd'),
      onFailure(failure) {
        resolve({ received, failure })
        take('onFailure')
      },
    })
    return promise
  }

  it.each([
    ['onHead', ['onHead', 'onFailure']],
    ['onChunk', ['onHead', 'onChunk', 'onFailure']],
    ['onEnd', ['onHead', 'onChunk', 'onEnd', 'onFailure']],
  ] as const)('in %s is told to the receiver, once, and frees its slot', async (throwIn, words) => {
    const { received, failure } = await hear(scenario.open(), CALL, throwIn)
    expect(failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: FAULT })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
    expect(received).toEqual(words)
    expect(scenario.outcomes()).toEqual([throwIn === 'onEnd' ? '2xx' : 'broken'])
  })

  it('in onEnd is not counted as a failure of the vendor', async () => {
    const breaker = { failuresInARowToOpen: 1, windowMs: 1, windowCallsMin: 99, failureShareToOpen: 1 }
    const upstream = scenario.open({ breaker: { ...breaker, openMsMin: 60_000, openMsMax: 60_000 } })
    await hear(upstream, CALL, 'onEnd')
    await hear(upstream, CALL, 'onEnd')
    expect(scenario.requests).toHaveLength(2)
  })

  const unsendable = {
    ...CALL,
    get totalTimeoutMs(): number {
      throw FAULT
    },
  }

  it('while sending is reported and logged', async () => {
    const log = createLogBook()
    const { failure } = await hear(scenario.open({ log }), unsendable)
    expect(failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: FAULT })
    expect(log.events).toEqual(['upstream.send_failed'])
  })

  it.each([
    ['the receiver', undefined, ['upstream.send_failed']],
    ['a receiver that throws too', 'onFailure', ['upstream.send_failed', 'upstream.end_failed']],
  ] as const)('while sending a call that had to wait is told to %s', async (_, throwIn, events) => {
    const log = createLogBook()
    const upstream = scenario.open({ log, connections: 1 })
    const gate = Promise.withResolvers<void>()
    scenario.answer = (_request, response) => void gate.promise.then(() => response.end('taken'))
    const first = upstream.request({ ...CALL, totalTimeoutMs: 20_000, maxBytes: 100 })
    const second = hear(upstream, unsendable, throwIn)
    gate.resolve()
    await first
    expect((await second).failure).toMatchObject({ kind: 'broken', taken: 'maybe', cause: FAULT })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0, waiting: 0 })
    expect(log.events).toEqual(events)
  })
})

describe.each(['lean', 'undici'] as const)('a vendor with interim responses only, client: %s', (client) => {
  it('is given up at the limit for the first byte', async () => {
    const scenario = await startUpstreamScenario(client)
    onTestFinished(() => scenario.close())
    scenario.answer = (_request, response) => {
      const announcing = setInterval(() => response.writeProcessing(), 5)
      response.on('close', () => clearInterval(announcing))
    }
    const upstream = scenario.open({ firstByteTimeoutMs: 100 })
    await expect(upstream.stream(CALL)).rejects.toMatchObject({ kind: 'timeout-first-byte', taken: 'maybe' })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
  })
})
