import { describe, expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { RateLimitError } from '../../../src/app/limits/rate/check-rate.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import type { RateStanding } from '../../../src/ports/rate-meter.ts'
import { CALLER } from '../../caller.ts'
import { expectError, readAnswer } from './answer.ts'
import { ECHOES } from './echo-operations.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { openRaw, sendRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const STANDING: RateStanding = {
  allowed: true,
  limitPerMinute: 60,
  remaining: 58,
  resetMs: 1_001,
  retryAfterMs: 0,
}
const OVER: RateStanding = { ...STANDING, allowed: false, remaining: 0, resetMs: 60_000, retryAfterMs: 500 }
const HEADERS = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '58', 'x-ratelimit-reset': '2' }
const OVER_HEADERS = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }
const AUTHORIZED = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

const ALLOWED: [string, App['checkRate']][] = [
  ['immediately', () => STANDING],
  ['later', async () => STANDING],
]
const REFUSED: [string, App['checkRate']][] = [
  [
    'immediately',
    () => {
      throw new RateLimitError(OVER)
    },
  ],
  [
    'later',
    async () => {
      throw new RateLimitError(OVER)
    },
  ],
]

/** Writes its own head, as a stream does. */
const streaming: Operation = {
  id: 'streaming',
  method: 'GET',
  path: '/v1/messages/streaming',
  area: 'messages',
  access: 'api-key',
  summary: 'Answers as a stream does',
  replies: {},
  handle: () => (_request, reply) => {
    reply.begin({ status: 200, headers: {} })
    reply.write('data: x\n\n')
    reply.end()
  },
}

async function startLimited(checkRate: App['checkRate'], limits: { inFlightMax?: number } = {}) {
  const edge = await startEdge({
    operations: [...OPERATIONS, ...ECHOES, streaming],
    app: memoryApp({ checkRate }),
    limits,
  })
  onTestFinished(() => edge.close())
  return edge
}

describe('the rate of a caller', () => {
  test.each(ALLOWED)('is sent with every answer, when it is known %s', async (_when, checkRate) => {
    const edge = await startLimited(checkRate)
    const ask = async (method: string, path: string, body?: string) =>
      readAnswer(await fetch(edge.url + path, { method, headers: AUTHORIZED, body: body ?? null }))
    expect(await ask('GET', '/v1/video/generations')).toMatchObject({ status: 200, headers: HEADERS })
    expect(await ask('GET', '/v1/models')).toMatchObject({ status: 200, headers: HEADERS })
    expect(await ask('GET', '/v1/messages/streaming')).toMatchObject({ status: 200, headers: HEADERS })
    expect(await ask('POST', '/v1/video/echo', '[')).toMatchObject({ status: 400, headers: HEADERS })
    expect(await ask('PUT', '/v1/models')).toMatchObject({ status: 405, headers: HEADERS })
  })

  test.each(REFUSED)('that is exhausted is 429, when it is known %s', async (_when, checkRate) => {
    const edge = await startLimited(checkRate)
    const answer = await readAnswer(await fetch(`${edge.url}/v1/models`, { headers: AUTHORIZED }))
    expectError(answer, 'responses', 429, 'rate_limit_exceeded')
    expect(answer.headers).toMatchObject({ ...OVER_HEADERS, 'retry-after': '1' })
    await expect.poll(() => edge.requests).toMatchObject([{ status: 429, keyId: 'key_1' }])
  })

  test('is checked before the body is read', async () => {
    const edge = await startLimited(() => {
      throw new RateLimitError(OVER)
    })
    const head = `POST /v1/video/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`
    const answers = await sendRaw(edge.port, `${head}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`)
    expect(answers).toMatchObject([{ status: 429, headers: OVER_HEADERS }])
  })

  test('is checked for callers only, once for each request', async () => {
    const asked: unknown[] = []
    const edge = await startLimited((caller) => {
      asked.push(caller)
      return undefined
    })
    await fetch(`${edge.url}/v1/models`)
    await fetch(`${edge.url}/healthz`)
    const answer = await readAnswer(await fetch(`${edge.url}/v1/models`, { headers: AUTHORIZED }))
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    expect(asked).toEqual([CALLER])
  })

  test.each(REFUSED)('refused %s uses no slot', async (_when, checkRate) => {
    let over = true
    const edge = await startLimited((caller) => (over ? checkRate(caller) : undefined), {
      inFlightMax: 1,
    })
    const connection = openRaw(edge.port)
    onTestFinished(() => void connection.socket.destroy())
    // A body that never comes keeps the refused request open.
    connection.write(
      `POST /v1/video/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 9\r\n\r\n`,
    )
    await connection.sees('rate_limit_exceeded')
    over = false
    for (let round = 0; round < 3; round += 1) {
      const answer = await fetch(`${edge.url}/v1/models`, { headers: AUTHORIZED })
      expect(answer.status).toBe(200)
      await answer.text()
      await expect.poll(() => edge.requests.filter(({ status }) => status === 200).length).toBe(round + 1)
    }
    expect(edge.shed.count).toBe(0)
  })
})
