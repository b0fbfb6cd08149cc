import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createGuardedClient,
  type GuardedCall,
  type GuardedClientOptions,
} from '../../../src/adapters/outbound/guarded-client.ts'
import type { Resolve } from '../../../src/adapters/outbound/resolve-name.ts'
import { type RecordedMetrics, recordMetrics } from './harness/recorded-metrics.ts'
import { startTlsTarget, type TlsTarget, trustTestAuthority } from './harness/tls-target.ts'

const OPTIONS = {
  ...{ allow: ['127.0.0.0/8'], connections: 8, queueLimit: 4, queueWaitMs: 10_000 },
  ...{ connectTimeoutMs: 10_000, resolve: async () => ['127.0.0.1'] },
}

describe('the share of one host in the guarded client', () => {
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
    const client = createGuardedClient({ ...OPTIONS, metrics, ...changes })
    return (host: string, call: Partial<GuardedCall> = {}) =>
      client.send({
        // An organization of its own, so that only the host is shared.
        ...{ operation: 'try', holder: randomUUID(), url: `https://${host}:${target.port}/` },
        ...{ method: 'GET', headers: {} },
        ...{ totalTimeoutMs: 10_000, maxBytes: 1_000 },
        ...call,
      })
  }
  const pool = () => metrics.pools.get('guarded')?.()

  it('a host that never answers uses a quarter of the slots and of the queue, and others continue', async () => {
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

  it('a look-up that outlives its call keeps its slot until it ends', async () => {
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

  it('a look-up that fails after its call frees the slot too', async () => {
    const late = Promise.withResolvers<string[]>()
    const send = open({ connections: 1, resolve: () => late.promise })
    await expect(send('slow.test', { totalTimeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout-total' })
    expect(pool()).toMatchObject({ busy: 1 })
    late.reject(new Error('EAI_AGAIN'))
    await expect.poll(pool).toMatchObject({ busy: 0 })
  })

  it('links of a vendor: one organization that reads nothing takes a quarter of the slots, and others still download from the same host', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(20_000_000))
    const client = createGuardedClient({ ...OPTIONS, metrics })
    const download = (holder: string, pauseMsMax = 60_000) =>
      client.open({
        ...{ operation: 'media', holder, url: `https://callback.test:${target.port}/`, method: 'GET' },
        ...{ headers: {}, totalTimeoutMs: 60_000, pauseMsMax },
      })
    const unread = [await download('org_a'), await download('org_a')]
    const { body } = await download('org_b')
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    expect(bytes).toBe(20_000_000)
    for (const each of unread) each.body.destroy()

    const stalled = await download('org_a', 50)
    await expect.poll(() => stalled.body.errored).toMatchObject({ kind: 'stalled' })
    await expect.poll(pool).toEqual({ busy: 0, idle: 0, waiting: 0 })
  })

  it('one organization has a quarter of the slots too, for any number of hosts', async () => {
    const names = slowNames()
    const send = open({ resolve: names.resolve })
    const own = ['a.test', 'b.test', 'c.test'].map((name) => send(name, { holder: 'org_a' }))
    await expect.poll(() => names.asked).toEqual(['a.test', 'b.test'])
    await expect(send('d.test', { holder: 'org_a' })).rejects.toMatchObject({ kind: 'busy', taken: 'no' })
    expect((await send('127.0.0.1', { holder: 'org_b' })).status).toBe(200)
    const endings = Promise.allSettled(own)
    for (const name of ['a.test', 'b.test']) names.fail(name)
    await expect.poll(() => names.asked).toEqual(['a.test', 'b.test', 'c.test'])
    names.fail('c.test')
    expect(await endings).toMatchObject(Array(3).fill({ reason: { kind: 'refused', taken: 'no' } }))
    await expect.poll(pool).toEqual({ busy: 0, idle: 0, waiting: 0 })
  })
})

/** A resolver that answers about a name when the test says so. */
function slowNames(): {
  asked: string[]
  resolve: Resolve
  end(hostname: string): void
  fail(hostname: string): void
} {
  const asked: string[] = []
  const answers = new Map<string, PromiseWithResolvers<string[]>>()
  return {
    asked,
    resolve(hostname) {
      asked.push(hostname)
      const answer = Promise.withResolvers<string[]>()
      answers.set(hostname, answer)
      return answer.promise
    },
    end: (hostname) => answers.get(hostname)?.resolve(['127.0.0.1']),
    fail: (hostname) => answers.get(hostname)?.reject(new Error('ENOTFOUND')),
  }
}
