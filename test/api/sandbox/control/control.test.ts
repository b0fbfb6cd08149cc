import { request as httpRequest } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonReply } from '../../../../sandbox/part.ts'
import { type Sandbox, startSandbox } from '../../../../sandbox/server.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox({
    port: 0,
    speed: 20,
    nowMs: () => Date.UTC(2030, 0, 2),
    parts: [
      {
        name: 'vendor-a',
        routes: [{ operation: 'get', method: 'GET', path: '/tasks/:id', handle: () => jsonReply(200, {}) }],
      },
    ],
  })
})

afterEach(() => sandbox.close())

async function call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer, headers: response.headers }
}

describe('the control API', () => {
  it.each([
    '{',
    '{}',
    '{"tasks":[{"id":"cgt-1"}]}',
    '{"tasks":[{"id":"cgt-1","usd":7}]}',
    '{"tasks":[{"usd":"7"}]}',
  ])('refuses to write a bill for %s', async (body) => {
    expect(await call('POST', '/_sandbox/bill', body)).toMatchObject({
      ...{ status: 400, answer: { error: { param: 'tasks' } } },
    })
  })

  it('adds, lists and removes rules', async () => {
    const rule = { id: 'slow', part: 'vendor-a', fault: { kind: 'delay', ms: 5 } }
    expect(await call('POST', '/_sandbox/faults', JSON.stringify(rule))).toMatchObject({
      status: 201,
      answer: { ...rule, seen: 0, applied: 0 },
    })
    expect(await call('POST', '/_sandbox/faults', '{"fault":{"kind":"hang"}}')).toMatchObject({
      status: 201,
      answer: { id: 'fault-1' },
    })
    expect((await call('GET', '/_sandbox/faults')).answer).toMatchObject({
      data: [{ id: 'slow' }, { id: 'fault-1' }],
    })
    expect((await call('DELETE', '/_sandbox/faults/fault-1')).answer).toEqual({ deleted: 1 })
    expect((await call('DELETE', '/_sandbox/faults/fault-1')).status).toBe(404)
    expect((await call('DELETE', '/_sandbox/faults')).answer).toEqual({ deleted: 1 })
    expect((await call('GET', '/_sandbox/faults')).answer).toEqual({ data: [] })
  })

  it('refuses a second rule of the same name', async () => {
    const rule = '{"id":"one","fault":{"kind":"hang"}}'
    await call('POST', '/_sandbox/faults', rule)
    expect(await call('POST', '/_sandbox/faults', rule)).toMatchObject({
      status: 409,
      answer: { error: { param: 'id' } },
    })
  })

  it('says what is wrong with a rule', async () => {
    expect(await call('POST', '/_sandbox/faults', '{"fault":{"kind":"delay"}}')).toMatchObject({
      status: 400,
      answer: { error: { param: 'fault.ms', message: expect.stringContaining('whole number') } },
    })
    expect(await call('POST', '/_sandbox/faults', 'nonsense')).toMatchObject({
      status: 400,
      answer: { error: { message: 'The body must be valid JSON.', param: null } },
    })
  })

  it('names the methods a path takes', async () => {
    const { status, headers } = await call('DELETE', '/_sandbox/clock')
    expect([status, headers.get('allow')]).toEqual([405, 'GET'])
    expect((await call('GET', '/_sandbox/nothing')).status).toBe(404)
  })

  it('shows the clock', async () => {
    expect((await call('GET', '/_sandbox/clock')).answer).toEqual({
      now: '2030-01-02T00:00:00.000Z',
      speed: 20,
      one_minute_takes_ms: 3_000,
    })
  })

  it('shows recent requests without their credentials', async () => {
    await call('POST', '/_sandbox/faults', '{"id":"busy","times":1,"fault":{"kind":"status","status":429}}')
    const headers = { authorization: 'Bearer CANARY' }
    await call('GET', '/vendor-a/tasks/1?api_key=CANARY', undefined, headers)
    await call('GET', '/vendor-a/tasks/2', undefined, headers)
    await call('GET', '/elsewhere?key=CANARY')
    const { answer } = await call('GET', '/_sandbox/requests')
    const known = { at: '2030-01-02T00:00:00.000Z', method: 'GET', part: 'vendor-a', operation: 'get' }
    expect(answer).toEqual({
      data: [
        { ...known, path: '/elsewhere', part: null, operation: null, fault: null, status: 404 },
        { ...known, path: '/vendor-a/tasks/2', fault: null, status: 200 },
        { ...known, path: '/vendor-a/tasks/1', fault: 'busy', status: 429 },
      ],
    })
  })

  it('keeps the last 200 requests', async () => {
    for (let count = 0; count < 205; count += 1) await call('GET', `/elsewhere/${count}`)
    const { answer } = await call('GET', '/_sandbox/requests')
    expect(answer).toMatchObject({ data: { length: 200, 0: { path: '/elsewhere/204' } } })
  })

  it('does not answer to web pages', async () => {
    const rule = '{"fault":{"kind":"hang"}}'
    const asText = { 'content-type': 'text/plain' }
    expect((await call('POST', '/_sandbox/faults', rule, asText)).status).toBe(415)
    expect(
      (await call('GET', '/_sandbox/faults', undefined, { origin: 'https://evil.example' })).status,
    ).toBe(403)
    expect(await statusForHost('evil.example')).toBe(403)
    expect(await statusForHost('localhost:1234')).toBe(200)
  })
})

/** A name that an attacker points at loopback arrives here with the attacker's name in the Host header. */
function statusForHost(host: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const request = httpRequest(`${sandbox.url}/_sandbox/faults`, { headers: { host } }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  request.once('error', reject).end()
  return promise
}
