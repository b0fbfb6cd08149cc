import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boundLookUps, type Resolve } from '../../src/adapters/outbound/bound-look-ups.ts'
import {
  createGuardedClient,
  type GuardedCall,
  type GuardedClientOptions,
} from '../../src/adapters/outbound/guarded-client.ts'
import { type RecordedMetrics, recordMetrics } from './harness/recorded-metrics.ts'
import { startTlsTarget, type TlsTarget, trustTestAuthority } from './harness/tls-target.ts'

describe('what one host can take of the guarded client', () => {
  let target: TlsTarget
  let distrust: () => void
  let answer: RequestListener
  let metrics: RecordedMetrics

  beforeAll(() => {
    distrust = trustTestAuthority()
  })
  afterAll(() => distrust())

  beforeEach(async () => {
    metrics = recordMetrics()
    answer = (_request, response) => response.end('taken')
    target = await startTlsTarget((request, response) => answer(request, response))
  })
  afterEach(() => target.close())

  const open = (changes: Partial<GuardedClientOptions> = {}) => {
    const client = createGuardedClient({
      ...{ allow: ['127.0.0.0/8'], connections: 8, queueLimit: 4, queueWaitMs: 10_000 },
      ...{ connectTimeoutMs: 10_000, metrics, resolve: async () => ['127.0.0.1'] },
      ...changes,
    })
    return (host: string, call: Partial<GuardedCall> = {}) =>
      client.send({
        ...{ operation: 'try', url: `https://${host}:${target.port}/`, method: 'GET', headers: {} },
        ...{ totalTimeoutMs: 10_000, maxBytes: 1_000 },
        ...call,
      })
  }
  const pool = () => metrics.pools.get('guarded')?.()

  it('a host that never answers holds a quarter of the places and of the queue, and the others go on', async () => {
    const held: (() => void)[] = []
    answer = (request, response) => {
      if (request.headers.host?.startsWith('callback.test')) held.push(() => response.end())
      else response.end()
    }
    const send = open()
    const hanging = [send('callback.test'), send('callback.test.'), send('CALLBACK.test')]
    await expect.poll(() => held.length).toBe(2)
    expect(pool()).toEqual({ busy: 2, idle: 0, waiting: 1 })
    await expect(send('callback.test')).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    const elsewhere = { url: 'https://callback.test:8443/' }
    await expect(send('callback.test', elsewhere)).rejects.toMatchObject({ kind: 'busy' })
    for (let call = 0; call < 10; call += 1) expect((await send('127.0.0.1')).status).toBe(200)

    answer = (_request, response) => response.end()
    for (const release of held) release()
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual([200, 200, 200])
    await expect.poll(pool).toEqual({ busy: 0, idle: 0, waiting: 0 })
  })

  it('a look-up that outlives its call keeps the place until it ends', async () => {
    const names = slowNames()
    const send = open({ connections: 1, queueWaitMs: 100, resolve: names.resolve })
    const slow = send('slow.test', { totalTimeoutMs: 50 })
    await expect(slow).rejects.toMatchObject({ kind: 'timeout-total', taken: 'no' })
    expect(pool()).toMatchObject({ busy: 1 })
    await expect(send('127.0.0.1')).rejects.toMatchObject({ kind: 'busy' })
    names.end('slow.test')
    await expect.poll(pool).toMatchObject({ busy: 0 })
    expect((await send('127.0.0.1')).status).toBe(200)
  })

  it('a look-up that fails after its call gives the place back too', async () => {
    const late = Promise.withResolvers<string[]>()
    const send = open({ connections: 1, resolve: () => late.promise })
    await expect(send('slow.test', { totalTimeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout-total' })
    expect(pool()).toMatchObject({ busy: 1 })
    late.reject(new Error('EAI_AGAIN'))
    await expect.poll(pool).toMatchObject({ busy: 0 })
  })

  it('two names at most are looked up at once, timed out or not, and one name once', async () => {
    const names = slowNames()
    const send = open({ connections: 32, resolve: boundLookUps(names.resolve) })
    const brief = { totalTimeoutMs: 50 }
    const calls = ['a.test', 'a.test', 'b.test', 'c.test'].map((name) => send(name, brief))
    const endings = await Promise.allSettled(calls)
    expect(endings).toMatchObject(Array(4).fill({ reason: { kind: 'timeout-total', taken: 'no' } }))
    expect(names.asked).toEqual(['a.test', 'b.test'])
    // Only the two under way cost a place; who waited for them has left.
    await expect.poll(pool).toMatchObject({ busy: 2 })
    expect((await send('127.0.0.1')).status).toBe(200)

    const next = send('callback.test')
    await expect.poll(pool).toMatchObject({ busy: 3 })
    expect(names.asked).toEqual(['a.test', 'b.test'])
    names.end('b.test')
    await expect.poll(() => names.asked).toEqual(['a.test', 'b.test', 'callback.test'])
    names.end('callback.test')
    expect((await next).status).toBe(200)
    names.end('a.test')
    await expect.poll(pool).toMatchObject({ busy: 0 })
  })

  it('a call that may not wait longer for its look-up is refused, and was not asked for', async () => {
    const names = slowNames()
    const send = open({ connections: 32, connectTimeoutMs: 50, resolve: boundLookUps(names.resolve) })
    const calls = ['a.test', 'b.test', 'c.test'].map((name) => send(name))
    const endings = await Promise.allSettled(calls)
    expect(endings).toMatchObject(Array(3).fill({ reason: { kind: 'refused', taken: 'no' } }))
    expect(names.asked).toEqual(['a.test', 'b.test'])
  })
})

/** A resolver that answers about a name when the test says so. */
function slowNames(): { asked: string[]; resolve: Resolve; end(hostname: string): void } {
  const asked: string[] = []
  const answers = new Map<string, (addresses: string[]) => void>()
  return {
    asked,
    resolve(hostname) {
      asked.push(hostname)
      const { promise, resolve } = Promise.withResolvers<string[]>()
      answers.set(hostname, resolve)
      return promise
    },
    end: (hostname) => answers.get(hostname)?.(['127.0.0.1']),
  }
}
