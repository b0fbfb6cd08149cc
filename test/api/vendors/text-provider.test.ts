import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'
import { openProvider } from '../text-resilience/ask-text-provider.ts'

describe('a text provider', () => {
  let scenario: UpstreamScenario
  /** The keys that reached the vendor, in order. */
  let used: string[]
  /** Responses by key; default: 200. */
  let answers: Record<string, [status: number, headers?: Record<string, string>, body?: string]>

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
    used = []
    answers = {}
    scenario.answer = (request, response) => {
      const key = keyOf(request)
      used.push(key)
      const [status, headers = {}, body = `answer to ${key}`] = answers[key] ?? [200]
      response.writeHead(status, headers).end(body)
    }
  })
  afterEach(() => scenario.close())

  const open = (...keys: string[]) => openProvider(scenario.open(), ...keys)

  it('shares calls among its keys by their weights', async () => {
    const { ask } = openProvider(
      scenario.open({ connections: 20, queueLimit: 2_000, queueWaitMs: 60_000 }),
      ...['one', 'two x 2', 'seven x 7'],
    )
    await Promise.all(Array.from({ length: 1_000 }, () => ask()))
    const tally = Map.groupBy(used, (key) => key)
    expect([...tally].map(([key, all]) => `${key}: ${all.length}`).sort()).toEqual([
      'one: 100',
      'seven: 700',
      'two: 200',
    ])
  })

  it.each([401, 402])('a key that is answered %i rests for a minute; the other serves', async (status) => {
    answers.bad = [status]
    const { ask, time, warnings } = open('bad', 'good')
    expect(await ask()).toMatchObject({ status: 200, body: 'answer to good' })
    expect(used).toEqual(['bad', 'good'])
    expect(warnings).toEqual([{ provider: 'vendorX', reason: `${status} to key 1 of 2` }])
    for (let call = 0; call < 10; call++) expect((await ask()).status).toBe(200)
    expect(used.slice(2)).toEqual(Array(10).fill('good'))
    time.ms += 60_000
    await ask()
    await ask()
    expect(used.slice(12)).toContain('bad')
  })

  it('403 is about the request or the account: no other key is tried, and none rests', async () => {
    answers.a = [403]
    const { ask, warnings } = open('a', 'b', 'c')
    expect(await ask()).toMatchObject({ status: 403 })
    expect(used).toEqual(['a'])
    for (let call = 0; call < 3; call++) await ask()
    expect(used).toEqual(['a', 'b', 'c', 'a'])
    expect(warnings).toEqual([])
  })

  it('a key that is refused again while it rests is logged once', async () => {
    answers.only = [401]
    const { ask, time, warnings } = open('only')
    for (let call = 0; call < 5; call++) await ask()
    expect(used).toHaveLength(5)
    expect(warnings).toHaveLength(1)
    time.ms += 60_000
    await ask()
    await ask()
    expect(warnings).toHaveLength(2)
  })

  it.each([
    ['3', 3_000],
    ['0.5', 500],
    ['3600', 60_000],
    [undefined, 5_000],
    ['soon', 5_000],
    ['-1', 5_000],
  ])('a busy key with Retry-After %s rests for %i ms', async (retryAfter, restsMs) => {
    answers.busy = [429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }]
    const { ask, time, warnings } = open('busy', 'good')
    expect(await ask()).toMatchObject({ status: 200, body: 'answer to good' })
    time.ms += restsMs - 1
    for (let call = 0; call < 4; call++) await ask()
    expect(used).toEqual(['busy', 'good', 'good', 'good', 'good', 'good'])
    time.ms += 1
    await ask()
    await ask()
    expect(used.slice(6)).toContain('busy')
    expect(warnings).toEqual([])
  })

  it('the last of several errors is passed on whole', async () => {
    answers.a = [401, {}, 'no a']
    answers.b = [429, { 'retry-after': '7' }, 'no b']
    expect(await open('a', 'b').ask()).toMatchObject({
      status: 429,
      retryAfterMs: 7_000,
      body: 'no b',
      failure: undefined,
    })
  })

  it('while all keys rest, only the key whose rest ends first is tried', async () => {
    answers.a = [401]
    answers.b = [429]
    const { ask } = open('a', 'b')
    await ask()
    expect(used).toEqual(['a', 'b'])
    expect((await ask()).status).toBe(429)
    expect(used).toEqual(['a', 'b', 'b'])
    delete answers.b
    expect((await ask()).status).toBe(200)
    expect(used).toEqual(['a', 'b', 'b', 'b'])
  })

  it.each([401, 429])('a single key passes %i through, and goes on being used', async (status) => {
    answers.only = [status, { 'retry-after': '9' }, 'no']
    const { ask } = open('only')
    for (let call = 0; call < 3; call++) {
      expect(await ask()).toMatchObject({ status, retryAfterMs: 9_000, body: 'no' })
    }
    expect(used).toEqual(['only', 'only', 'only'])
  })

  it.each([400, 404, 413, 422, 500, 503, 529])(
    '%i is no fault of the key: no other key is tried',
    async (status) => {
      answers.a = [status]
      const { ask } = open('a', 'b')
      expect((await ask()).status).toBe(status)
      expect(used).toEqual(['a'])
      expect((await ask()).body).toBe('answer to b')
    },
  )

  it('a refused answer that does not end is dropped', async () => {
    scenario.answer = (request, response) => {
      const key = keyOf(request)
      if (key === 'good') response.end('served')
      else {
        response.writeHead(429)
        const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
        response.on('close', () => clearInterval(timer))
      }
    }
    expect(await open('endless', 'good').ask()).toMatchObject({ status: 200, body: 'served' })
    await expect.poll(scenario.pool).toMatchObject({ busy: 0 })
    expect(scenario.outcomes().toSorted()).toEqual(['2xx', 'too-large'])
  })

  it.each([
    [{ dialect: 'messages' }, 'POST /api/v1/messages', { 'x-api-key': 'k', 'compat-version': '2023-06-01' }],
    [
      { dialect: 'messages', version: '2026-10-21', betas: 'b-1' },
      'POST /api/v1/messages',
      { 'x-api-key': 'k', 'compat-version': '2026-10-21', 'anthropic-beta': 'b-1' },
    ],
    [
      { dialect: 'messages', operation: 'count-tokens' },
      'POST /api/v1/messages/count_tokens',
      { 'x-api-key': 'k' },
    ],
    [
      { dialect: 'responses', betas: 'b-2' },
      'POST /api/v1/responses',
      { authorization: 'Bearer k', 'openai-beta': 'b-2' },
    ],
    [{ dialect: 'chat' }, 'POST /api/v1/chat/completions', { authorization: 'Bearer k' }],
  ] as const)('%o goes to its path with its headers', async (call, request, headers) => {
    let seen: IncomingMessage['headers'] = {}
    scenario.answer = (incoming, response) => {
      seen = incoming.headers
      response.end()
    }
    await open('k').ask(call)
    expect(scenario.requests).toEqual([request])
    expect(seen).toMatchObject({ 'content-type': 'application/json', ...headers })
  })
})

function keyOf({ headers: { authorization = '' } }: IncomingMessage): string {
  return authorization.replace('Bearer ', '')
}
