import { describe, expect, onTestFinished, test } from 'vitest'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { CALLER } from '../../caller.ts'
import { expectError, readAnswer } from './answer.ts'
import { hot } from './echo-operations.ts'
import { KEY, memoryApp } from './memory-app.ts'
import { openRaw } from './raw-connection.ts'
import { startEdge } from './start-edge.ts'

const AUTHORIZED = { headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' } }
const POST = { ...AUTHORIZED, method: 'POST', body: '{}' }

describe('too much work', () => {
  test('in flight is refused beyond the bound, and accepted again once there is room', async () => {
    const letGo = Promise.withResolvers<string>()
    let arrivals = 0
    const slow = hot({ area: 'messages', path: '/slow' }, () => {
      arrivals++
      return letGo.promise
    })
    const edge = await startEdge({ operations: [...OPERATIONS, slow], limits: { inFlightMax: 2 } })
    onTestFinished(() => edge.close())
    const pending = [fetch(`${edge.url}/slow`, POST), fetch(`${edge.url}/slow`, POST)]
    await expect.poll(() => arrivals).toBe(2)

    expectError(await readAnswer(await fetch(`${edge.url}/slow`, POST)), 'messages', 503)
    expectError(
      await readAnswer(await fetch(`${edge.url}/v1/models`, AUTHORIZED)),
      'responses',
      503,
      'overloaded',
    )
    expect(edge.shed.count).toBe(2)
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await fetch(edge.url + path)).status).toBe(200)
    }

    letGo.resolve('done')
    for (const answer of await Promise.all(pending)) expect(answer.status).toBe(200)
    await expect.poll(async () => (await fetch(`${edge.url}/v1/models`, AUTHORIZED)).status).toBe(200)
  })

  test('answers 503 before a short body has arrived, and serves the next request on the same connection', async () => {
    const letGo = Promise.withResolvers<string>()
    let arrivals = 0
    const slow = hot({ area: 'messages', path: '/slow' }, () => {
      arrivals++
      return letGo.promise
    })
    const edge = await startEdge({ operations: [...OPERATIONS, slow], limits: { inFlightMax: 1 } })
    onTestFinished(() => edge.close())
    const pending = fetch(`${edge.url}/slow`, POST)
    await expect.poll(() => arrivals).toBe(1)
    const connection = openRaw(edge.port)
    onTestFinished(() => void connection.socket.destroy())
    const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
    connection.write(`POST /slow HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n`)
    await connection.sees('HTTP/1.1 503')
    letGo.resolve('done')
    expect((await pending).status).toBe(200)
    await expect.poll(() => edge.finished).toHaveLength(1)
    connection.write(`{}GET /v1/models HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
    expect(await connection.answers()).toMatchObject([{ status: 503 }, { status: 200 }])
  })

  test('frees its slot when its client disconnects', async () => {
    let arrivals = 0
    const never = hot({ area: 'video', path: '/never' }, () => {
      arrivals++
      return new Promise(() => {})
    })
    const edge = await startEdge({ operations: [...OPERATIONS, never], limits: { inFlightMax: 2 } })
    onTestFinished(() => edge.close())
    const connections = [openRaw(edge.port), openRaw(edge.port)]
    const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 2\r\n`
    for (const connection of connections) connection.write(`POST /never HTTP/1.1\r\n${head}\r\n{}`)
    await expect.poll(() => arrivals).toBe(2)
    expect((await fetch(`${edge.url}/v1/models`, AUTHORIZED)).status).toBe(503)
    for (const { socket } of connections) socket.destroy()
    await expect.poll(async () => (await fetch(`${edge.url}/v1/models`, AUTHORIZED)).status).toBe(200)
    expect(edge.finished.filter(({ operation }) => operation === 'videoEcho')).toMatchObject([
      { status: 499 },
      { status: 499 },
    ])
  })

  test('cannot be made by strangers', async () => {
    const edge = await startEdge({ limits: { inFlightMax: 2 } })
    onTestFinished(() => edge.close())
    const unfinished = ['GET /healthz', 'GET /docs', 'GET /v1/models', 'POST /nothing', 'GET /openapi.json']
    const connections = unfinished.map((start) => {
      const connection = openRaw(edge.port)
      connection.write(`${start} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`)
      return connection
    })
    onTestFinished(() => {
      for (const { socket } of connections) socket.destroy()
    })
    expect((await fetch(`${edge.url}/v1/models`, AUTHORIZED)).status).toBe(200)
    expect(edge.shed.count).toBe(0)
  })

  test('shows in a late event loop with 32 requests in flight, and never with fewer', async () => {
    const letGo = Promise.withResolvers<string>()
    let arrivals = 0
    const held = hot({ area: 'messages', path: '/held' }, () => {
      arrivals++
      return letGo.promise
    })
    const edge = await startEdge({ operations: [...OPERATIONS, held], limits: { lagMsMax: 100 } })
    onTestFinished(() => edge.close())
    const hold = (count: number) =>
      Array.from({ length: count }, () => fetch(`${edge.url}/held`, POST).then(({ status }) => status))
    const models = async () => (await fetch(`${edge.url}/v1/models`, AUTHORIZED)).status
    // The clock leaps between any two samples, as it does when each turn of the loop takes too long.
    const leaps = setInterval(() => edge.advance(10_000), 1)
    onTestFinished(() => clearInterval(leaps))
    const few = hold(31)
    await expect.poll(() => arrivals).toBe(31)
    // This timer has the interval of the edge's own samples.
    let samples = 0
    const sampling = setInterval(() => samples++, 50)
    onTestFinished(() => clearInterval(sampling))
    await expect.poll(() => samples).toBeGreaterThan(5)
    expect(await models()).toBe(200)

    const last = hold(1)
    await expect.poll(() => arrivals).toBe(32)
    await expect.poll(models).toBe(503)
    expect((await fetch(`${edge.url}/healthz`)).status).toBe(200)
    clearInterval(leaps)
    await expect.poll(models).toBe(200)
    letGo.resolve('done')
    expect(await Promise.all([...few, ...last])).toEqual(Array(32).fill(200))
  })

  test('of one organization leaves slots to the others, even when its bodies never arrive', async () => {
    const app = memoryApp({
      authenticate: async (key) => ({ ...CALLER, organizationId: `org_${key}` }),
    })
    const edge = await startEdge({ app, limits: { inFlightMax: 16 } })
    onTestFinished(() => edge.close())
    const head = (start: string, more: string) =>
      `${start} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\n${more}\r\n`
    const unsent = [
      head('GET /v1/models', 'Content-Length: 9\r\n'),
      head('POST /v1/video/generations', 'Content-Length: 9\r\n'),
      head('POST /v1/messages', 'Transfer-Encoding: chunked\r\n'),
      head('DELETE /v1/video/generations/task_1', 'Content-Length: 9\r\n'),
    ]
    const connections = Array.from({ length: 14 }, (_, index) => {
      const connection = openRaw(edge.port)
      connection.write(unsent[index % unsent.length] ?? '')
      return connection
    })
    onTestFinished(() => {
      for (const { socket } of connections) socket.destroy()
    })
    const models = async (key: string) =>
      await readAnswer(await fetch(`${edge.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }))
    await expect.poll(async () => (await models('a')).status).toBe(429)
    expectError(await models('a'), 'responses', 429, 'rate_limit_exceeded')
    expect((await models('b')).status).toBe(200)

    // Within the ten seconds of grace no byte of these bodies came.
    edge.advance(20_000)
    for (const connection of connections) {
      const [answer] = await connection.answers()
      expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } })
    }
    expect((await models('a')).status).toBe(200)
  })
})
