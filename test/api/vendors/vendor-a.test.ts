import { json as readBody } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { vendorADriver } from '../../../src/adapters/providers/vendor-a/driver.ts'
import type { FamilyAOrder } from '../../../src/domain/video/families/a/order.ts'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'

const ORDER: FamilyAOrder = {
  family: 'a',
  model: 'gen-2.0',
  items: [{ kind: 'text', text: 'a cat' }],
  options: {
    durationSeconds: 5,
    ratio: undefined,
    resolution: undefined,
    seed: undefined,
    framesPerSecond: undefined,
    generateAudio: undefined,
    draft: undefined,
    serviceTier: undefined,
  },
}
const CREATE = { organizationId: 'org_1', order: ORDER, expiresAfterSeconds: 600, noticeUrl: undefined }
const TASKS = '/api/v3/contents/generations/tasks'

describe('the driver of vendor A', () => {
  let scenario: UpstreamScenario
  let bodies: unknown[]
  let headers: (string | undefined)[]

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
    bodies = []
    headers = []
  })
  afterEach(() => scenario.close())

  function driver() {
    const upstream = scenario.open({ baseUrl: `http://127.0.0.1:${scenario.proxy.port}/api/v3` })
    return vendorADriver({
      upstream,
      apiKey: () => 'canary-key',
      models: new Map([['gen-2.0', 'upstream-id']]),
    })
  }

  function answer(status: number, body: unknown, more: Record<string, string> = {}) {
    scenario.answer = async (request, response) => {
      headers.push(request.headers.authorization, request.headers['content-type'])
      if (request.method === 'POST') bodies.push(await readBody(request))
      response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body))
    }
  }

  it('creates a task', async () => {
    answer(200, { id: 'cgt-1' })
    expect(await driver().create({ ...CREATE, noticeUrl: 'https://us.example/n' })).toEqual({
      kind: 'accepted',
      ticket: 'cgt-1',
      snapshot: undefined,
    })
    expect(scenario.requests).toEqual([`POST ${TASKS}`])
    expect(headers).toEqual(['Bearer canary-key', 'application/json'])
    expect(bodies).toEqual([
      {
        model: 'upstream-id',
        content: [{ type: 'text', text: 'a cat' }],
        duration: 5,
        execution_expires_after: 600,
        callback_url: 'https://us.example/n',
      },
    ])
  })

  it('takes a create answer that is a task for a snapshot', async () => {
    answer(201, { id: 'cgt-1', status: 'running' })
    const made = await driver().create(CREATE)
    expect(made).toMatchObject({ kind: 'accepted', ticket: 'cgt-1', snapshot: { status: 'running' } })
  })

  it.each([{}, { id: null }, { id: '' }, { id: '..' }, { id: {} }, [], 'cgt-1', 'no json', ''])(
    'counts a task whose id is %j as lost',
    async (body) => {
      answer(200, body)
      expect(await driver().create(CREATE)).toMatchObject({
        kind: 'lost',
        cause: { name: 'VendorAnswerError' },
      })
      expect(scenario.requests).toHaveLength(1)
    },
  )

  it('refuses models it has no id for, and orders of another family, without a call', async () => {
    const foreign = {
      family: 'b',
      model: 'gen-2.0',
      mode: 'std',
      work: { taskType: 'text-to-video', prompt: 'p' },
    } as const
    const orders = [
      { ...ORDER, model: 'gen-3.0' },
      { ...ORDER, model: 'constructor' },
      { ...foreign, options: ORDER.options },
    ]
    for (const order of orders) {
      expect(await driver().create({ ...CREATE, order })).toMatchObject({
        kind: 'refused',
        apiError: { code: 'provider_not_configured', status: 503 },
      })
    }
    expect(scenario.requests).toEqual([])
  })

  it.each([
    [
      400,
      'InputTextSensitiveContentDetected',
      { status: 400, code: 'content_policy_violation', param: null },
    ],
    [
      400,
      'InvalidParameter',
      { status: 400, code: 'invalid_parameter', param: 'duration', message: 'too long.' },
    ],
    [429, 'QuotaExceeded', { status: 429, code: 'upstream_busy', retryAfterSeconds: 7 }],
    [429, 'SetLimitExceeded', { status: 503, code: 'provider_unavailable', retryAfterSeconds: 7 }],
    [401, 'AuthenticationError', { status: 503, code: 'provider_unavailable' }],
    [403, 'AccountOverdueError', { status: 503, code: 'provider_unavailable' }],
    [404, 'ModelNotOpen', { status: 503, code: 'provider_unavailable' }],
    [400, 'SomethingNew', { status: 503, code: 'provider_unavailable' }],
    [500, 'InternalServiceError', { status: 503, code: 'provider_unavailable' }],
  ])('is refused with %i %s', async (status, code, apiError) => {
    const error = { code, message: 'too long. Request id: 0217ab', param: 'duration', type: 'BadRequest' }
    const param = code.startsWith('Input') ? '' : 'duration'
    answer(status, { error: { ...error, param } }, { 'retry-after': '7' })
    const refused = await driver().create(CREATE)
    expect(refused).toMatchObject({ kind: 'refused', apiError: { ...apiError, cause: { status, code } } })
  })

  it('hides our key, the address for notices and the vendor model name from clients', async () => {
    const notice = 'https://us.example/v1/video/result?token=canary-token'
    const message = `upstream-id failed: ${notice} (canary-key)`
    const clean = '… failed: … (…)'
    answer(200, { id: 'cgt-1', status: 'failed', error: { code: 'Other', message } })
    const error = { code: 'generation_failed', message: clean }
    expect(await driver().read('cgt-1', 'org_1')).toMatchObject({ snapshot: { status: 'failed', error } })
    answer(400, { error: { code: 'InvalidParameter', message } })
    expect(await driver().create({ ...CREATE, noticeUrl: notice })).toMatchObject({
      apiError: { message: clean },
    })
  })

  it('does not tell a client what the vendor says about our account', async () => {
    answer(403, { error: { code: 'AccountOverdueError', message: 'Account 4711 is overdue.' } })
    const refused = await driver().create(CREATE)
    expect(refused).toMatchObject({ apiError: { message: 'The provider is not available.' } })
  })

  it('does not tell a client where notices go', async () => {
    const noticeUrl = 'https://us.example/v1/video/result?token=canary'
    answer(400, { error: { code: 'InvalidParameter', message: `cannot reach ${noticeUrl}` } })
    const refused = await driver().create({ ...CREATE, noticeUrl })
    expect(refused).toMatchObject({ apiError: { message: 'cannot reach …' } })
  })

  it('reads a task', async () => {
    answer(200, { id: 'cgt/1', status: 'succeeded', content: { video_url: 'https://cdn.example/v.mp4' } })
    expect(await driver().read('cgt/1', 'org_1')).toMatchObject({
      kind: 'snapshot',
      snapshot: { status: 'succeeded', content: { video_url: 'https://cdn.example/v.mp4' } },
    })
    expect(scenario.requests).toEqual([`GET ${TASKS}/cgt%2F1`])
    expect(headers).toEqual(['Bearer canary-key', undefined])
  })

  it.each([
    [404, {}, { kind: 'gone' }],
    [200, { id: 'cgt-1' }, { kind: 'unanswered' }],
    [200, { id: 'cgt-2', status: 'succeeded' }, { kind: 'unanswered' }],
    [200, { id: '', status: 'running' }, { kind: 'snapshot' }],
    [200, 'no json', { kind: 'unanswered', retryAfterMs: undefined }],
    [401, { id: 'cgt-1', status: 'failed' }, { kind: 'unanswered' }],
    [500, { id: 'cgt-1', status: 'failed' }, { kind: 'unanswered' }],
  ])('reads %i %j as %j', async (status, body, reading) => {
    answer(status, body)
    expect(await driver().read('cgt-1', 'org_1')).toMatchObject(reading)
  })

  it.each([
    [200, 'deleted'],
    [204, 'deleted'],
    [404, 'deleted'],
    [400, 'refused'],
    [409, 'refused'],
    [401, 'unanswered'],
    [403, 'unanswered'],
    [408, 'unanswered'],
    [429, 'unanswered'],
    [302, 'unanswered'],
    [500, 'unanswered'],
  ])('a delete answered with %i is %s', async (status, kind) => {
    answer(status, status === 204 ? '' : {})
    expect(await driver().delete('cgt-1', 'org_1')).toMatchObject({ kind })
    expect(scenario.requests).toEqual([`DELETE ${TASKS}/cgt-1`])
    expect(headers).toEqual(['Bearer canary-key', undefined])
  })

  it('does not ask the vendor about an invalid ticket', async () => {
    for (const ticket of ['', '..', 'a b']) {
      expect(await driver().read(ticket, 'org_1')).toMatchObject({ kind: 'unanswered' })
      expect(await driver().delete(ticket, 'org_1')).toMatchObject({ kind: 'unanswered' })
    }
    expect(scenario.requests).toEqual([])
  })
})
