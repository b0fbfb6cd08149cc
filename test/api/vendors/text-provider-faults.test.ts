import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_BREAKER_RULES } from '../../../src/adapters/outbound/breaker.ts'
import { NetworkError } from '../../../src/adapters/outbound/network-error.ts'
import type { Upstream, UpstreamOptions } from '../../../src/adapters/outbound/upstream.ts'
import type { FaultMode } from '../../system/faults/harness/fault-mode.ts'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'
import { openProvider } from '../text-resilience/ask-text-provider.ts'

describe('a text provider in trouble', () => {
  let scenario: UpstreamScenario
  beforeEach(async () => {
    scenario = await startUpstreamScenario()
  })
  afterEach(() => scenario.close())

  /** Wraps an upstream: at its first failure `happens` runs before the caller gets the failure. */
  function meanwhile(real: Upstream, happens: () => Promise<void>): Upstream {
    let isFirst = true
    return {
      ...real,
      dispatch(call, receiver) {
        return real.dispatch(call, {
          onHead: (head, flow) => receiver.onHead(head, flow),
          onChunk: (chunk) => receiver.onChunk(chunk),
          onEnd: () => receiver.onEnd(),
          onFailure(failure) {
            const wait = isFirst ? happens() : Promise.resolve()
            isFirst = false
            void wait.then(() => receiver.onFailure(failure))
          },
        })
      },
    }
  }

  it.each([[['a']], [['a', 'b']]])(
    'no connection: tried once more with the keys %j, and only once',
    async (keys) => {
      await scenario.proxy.setMode({ kind: 'refuse' })
      const received = await openProvider(scenario.open(), ...keys).ask()
      expect(received.failure).toMatchObject({ kind: 'refused', taken: 'no' })
      expect(scenario.outcomes()).toEqual(['refused', 'refused'])
    },
  )

  it.each([[['a']], [['a', 'b']]])('back in time for the second try, with the keys %j', async (keys) => {
    await scenario.proxy.setMode({ kind: 'refuse' })
    const upstream = meanwhile(scenario.open(), () => scenario.proxy.setMode({ kind: 'pass' }))
    expect(await openProvider(upstream, ...keys).ask()).toMatchObject({ status: 200, body: 'taken' })
    expect(scenario.requests).toHaveLength(1)
  })

  it('nothing more is sent for a client that has left', async () => {
    await scenario.proxy.setMode({ kind: 'refuse' })
    let leave = () => {}
    const upstream = meanwhile(scenario.open(), async () => leave())
    const { failure } = await openProvider(upstream, 'a').ask({}, (sent) => {
      leave = () => sent.stop('aborted')
    })
    expect(failure).toMatchObject({ kind: 'aborted', taken: 'no' })
    expect(scenario.outcomes()).toEqual(['refused'])
  })

  interface Fault {
    mode?: FaultMode
    answer?: UpstreamScenario['answer']
    upstream?: Partial<UpstreamOptions>
    kind: string
  }
  it.each<[string, Fault]>([
    ['reset before the answer', { answer: ({ socket }) => socket.resetAndDestroy(), kind: 'broken' }],
    ['not HTTP', { answer: ({ socket }) => socket.end('garbage\r\n\r\n'), kind: 'broken' }],
    [
      'cut after the head',
      { mode: { kind: 'cut-after', direction: 'to-client', bytes: 90 }, kind: 'broken' },
    ],
    ['cut in the head', { mode: { kind: 'cut-after', direction: 'to-client', bytes: 20 }, kind: 'broken' }],
    [
      'cut in the request',
      { mode: { kind: 'cut-after', direction: 'to-target', bytes: 10 }, kind: 'broken' },
    ],
    ['silent', { answer() {}, upstream: { firstByteTimeoutMs: 200 }, kind: 'timeout-first-byte' }],
    [
      'silent after a beginning',
      {
        answer: (_request, response) => response.write('half'),
        upstream: { idleTimeoutMs: 200 },
        kind: 'timeout-idle',
      },
    ],
  ])(
    '%s: the vendor may have taken the call, so it is never sent again',
    async (_, { mode, answer, upstream, kind }) => {
      scenario.answer =
        answer ??
        ((_request, response) => response.writeHead(200, { 'content-length': 1_000 }).end('x'.repeat(1_000)))
      if (mode !== undefined) await scenario.proxy.setMode(mode)
      const received = await openProvider(scenario.open(upstream), 'a', 'b').ask()
      expect(received.failure).toMatchObject({ kind, taken: 'maybe' })
      expect(scenario.outcomes()).toEqual([kind])
      expect(scenario.requests.length).toBeLessThanOrEqual(1)
    },
  )

  it('a second key whose answer breaks off: there is no third attempt', async () => {
    scenario.answer = ({ headers, socket }, response) => {
      if (headers.authorization === 'Bearer a') response.writeHead(429).end()
      else socket.resetAndDestroy()
    }
    const received = await openProvider(scenario.open(), 'a', 'b', 'c').ask()
    expect(received).toMatchObject({ status: undefined, failure: { kind: 'broken', taken: 'maybe' } })
    expect(scenario.requests).toHaveLength(2)
  })

  it.each([
    ['the second key finds no free slot', { connections: 1, queueLimit: 0 }, ['busy', '4xx']],
    ['the second key waits for a slot without success', { connections: 1, queueWaitMs: 1 }, ['busy', '4xx']],
  ])('a busy key, and %s: the client gets the answer to the first key', async (_, options, outcomes) => {
    const gate = Promise.withResolvers<void>()
    scenario.answer = (_request, response) => {
      response.writeHead(429, { 'retry-after': '7' }).flushHeaders()
      void gate.promise.then(() => response.end())
    }
    const received = await openProvider(scenario.open(options), 'a', 'b').ask()
    expect(received).toEqual({ status: 429, retryAfterMs: 7_000, body: '', failure: undefined })
    gate.resolve()
    await expect.poll(scenario.outcomes).toEqual(outcomes)
    expect(scenario.requests).toHaveLength(1)
  })

  it('a refused key, and an open breaker for the second key: the first answer is kept', async () => {
    scenario.answer = (_request, response) => response.writeHead(401, { connection: 'close' }).end()
    const real = scenario.open()
    let calls = 0
    const upstream: Upstream = {
      ...real,
      dispatch(call, receiver) {
        calls += 1
        if (calls === 1) return real.dispatch(call, receiver)
        receiver.onFailure(new NetworkError('breaker-open', { taken: 'no', retryAfterMs: 1 }))
        return { stop() {} }
      },
    }
    expect(await openProvider(upstream, 'a', 'b').ask()).toMatchObject({ status: 401, failure: undefined })
    expect(calls).toBe(2)
  })

  it('a client that leaves ends what is left of a refused answer too', async () => {
    scenario.answer = (_request, response) => {
      // The first response begins and never ends. Later calls get no answer.
      if (scenario.requests.length === 1) response.writeHead(429).write('busy')
    }
    let leave = () => {}
    const asked = openProvider(scenario.open(), 'a', 'b').ask({}, (sent) => {
      leave = () => sent.stop('aborted')
    })
    await expect.poll(() => scenario.requests.length).toBe(2)
    leave()
    expect((await asked).failure).toMatchObject({ kind: 'aborted', taken: 'maybe' })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
    expect(scenario.outcomes()).toEqual(['aborted', 'aborted'])
  })

  it('an open breaker refuses immediately, and says for how long', async () => {
    const breaker = { ...DEFAULT_BREAKER_RULES, failuresInARowToOpen: 2, openMsMin: 60_000 }
    scenario.answer = (_request, response) => response.writeHead(500).end()
    const { ask } = openProvider(scenario.open({ breaker }), 'a', 'b')
    expect((await ask()).status).toBe(500)
    expect((await ask()).status).toBe(500)
    const { failure } = await ask()
    expect(failure).toMatchObject({ kind: 'breaker-open', taken: 'no' })
    expect(failure?.retryAfterMs).toBeGreaterThan(0)
    expect(scenario.requests).toHaveLength(2)
  })
})
