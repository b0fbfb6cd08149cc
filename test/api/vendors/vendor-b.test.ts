import { json as readBody, text as readText } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { vendorBDriver } from '../../../src/adapters/providers/vendor-b/driver.ts'
import type { FamilyBOrder } from '../../../src/domain/video/families/b/order.ts'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'

const ORDER: FamilyBOrder = {
  family: 'b',
  model: 'gen-v4-fast',
  mode: 'fast',
  work: { taskType: 'text-to-video', prompt: 'a cat' },
  options: {
    durationSeconds: 5,
    ratio: '1:1',
    resolution: undefined,
    seed: 7,
    framesPerSecond: undefined,
    generateAudio: undefined,
    draft: undefined,
    serviceTier: undefined,
  },
}
const CUTSHOT: FamilyBOrder = {
  ...ORDER,
  model: 'gen-v3',
  mode: undefined,
  work: { taskType: 'cutshot', prompt: '', prefixVideo: 'https://m.example/v', cutType: 'zoom' },
}
const CREATE = {
  organizationId: 'org_1',
  order: ORDER,
  expiresAfterSeconds: 600,
  noticeUrl: 'https://us.example/n',
}
const VIDEO = '/api/v1/video'

describe('the driver of vendor B', () => {
  let scenario: UpstreamScenario
  let bodies: unknown[]
  let heads: string[]

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
    bodies = []
    heads = []
  })
  afterEach(() => scenario.close())

  function driver() {
    const upstream = scenario.open({ baseUrl: `http://127.0.0.1:${scenario.proxy.port}` })
    return vendorBDriver({ upstream, apiKey: () => 'canary-key' })
  }

  function answer(status: number, body: unknown, more: Record<string, string> = {}) {
    scenario.answer = async (request, response) => {
      heads.push(JSON.stringify([request.url, request.headers]))
      bodies.push(request.method === 'POST' ? await readBody(request) : await readText(request))
      response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body))
    }
  }

  it('submits a task with the key in the body, and nowhere else', async () => {
    answer(200, { task_id: 't2v1', msg: '', code: 200, status: 'ok', data: null, trace_id: 'x' })
    expect(await driver().create(CREATE)).toEqual({
      kind: 'accepted',
      ticket: 'text2video/t2v1',
      snapshot: undefined,
    })
    expect(scenario.requests).toEqual([`POST ${VIDEO}/text2video/submit`])
    expect(bodies).toEqual([
      { api_key: 'canary-key', prompt: 'a cat', duration: 5, aspect_ratio: '1:1', mode: 'fast' },
    ])
    expect(heads.join()).not.toContain('canary-key')
  })

  it('keeps the operation in the ticket, and polls without any credential', async () => {
    answer(200, { task_id: 'a/b' })
    const made = await driver().create({ ...CREATE, order: CUTSHOT })
    expect(made).toMatchObject({ kind: 'accepted', ticket: 'extension/cutshot/a%2Fb' })
    answer(200, { task_id: 'a/b', code: 200, status: 'running', data: null })
    const reading = await driver().read('extension/cutshot/a%2Fb', 'org_1')
    expect(reading).toMatchObject({ kind: 'snapshot', snapshot: { status: 'running' } })
    expect(scenario.requests).toEqual([
      `POST ${VIDEO}/extension/cutshot/submit`,
      `GET ${VIDEO}/extension/cutshot/task/a%2Fb`,
    ])
    expect(bodies[1]).toBe('')
    expect(heads[1]).not.toMatch(/canary-key|authorization/)
  })

  it.each([
    [{ task_id: 't2v1' }, 'accepted'],
    [{ task_id: 't2v1', code: '200' }, 'accepted'],
    [{ task_id: 't2v1', code: null, status: 'success' }, 'accepted'],
    [{ code: 200, status: 'ok' }, 'lost'],
    [{ task_id: '', code: 200 }, 'lost'],
    [{ task_id: '..', code: 200 }, 'lost'],
    [{ task_id: 't2v1', code: 0 }, 'lost'],
    [{ task_id: 't2v1', code: 'fine' }, 'lost'],
    ['no json', 'lost'],
    ['', 'lost'],
    [{ task_id: 't2v1', code: 500 }, 'refused'],
    [{ code: 482, msg: 'unsafe' }, 'refused'],
  ])('a submit answered with %j is %s', async (body, kind) => {
    answer(200, body)
    expect(await driver().create(CREATE)).toMatchObject({ kind })
    expect(scenario.requests).toHaveLength(1)
  })

  const REFUSALS: [number, object][] = [
    [401, { status: 503, code: 'provider_unavailable', message: 'The provider is not available.' }],
    [422, { status: 400, code: 'invalid_parameter', message: 'said so' }],
    [429, { status: 429, code: 'upstream_busy', retryAfterSeconds: 7 }],
    [480, { status: 503, code: 'provider_unavailable', message: 'The provider is not available.' }],
    [481, { status: 429, code: 'upstream_busy', retryAfterSeconds: 7 }],
    [482, { status: 400, code: 'content_policy_violation', message: 'said so' }],
    [500, { status: 503, code: 'provider_unavailable', retryAfterSeconds: 7 }],
  ]

  it.each(REFUSALS)('is refused with %i, in the body or as a status', async (code, apiError) => {
    const wanted = {
      kind: 'refused',
      apiError: { ...apiError, cause: { name: 'VendorAnswerError', code: `${code}` } },
    }
    answer(200, { code, msg: 'said so', trace_id: 'x' }, { 'retry-after': '7' })
    expect(await driver().create(CREATE)).toMatchObject(wanted)
    answer(code, { msg: 'said so' }, { 'retry-after': '7' })
    expect(await driver().create(CREATE)).toMatchObject(wanted)
  })

  it('names the parameter of a 422', async () => {
    answer(422, { detail: [{ loc: ['body', 'aspect_ratio'], msg: 'not one of these', type: 'enum' }] })
    const refused = await driver().create(CREATE)
    expect(refused).toMatchObject({ apiError: { param: 'ratio', message: 'not one of these' } })
  })

  it('refuses orders of another family without a call', async () => {
    const items = [{ kind: 'text', text: 'a cat' }] as const
    const order = { family: 'a', model: 'gen-2.0', items, options: ORDER.options } as const
    expect(await driver().create({ ...CREATE, order })).toMatchObject({
      kind: 'refused',
      apiError: { code: 'provider_not_configured' },
    })
    expect(scenario.requests).toEqual([])
  })

  it.each([
    [200, { status: 'success', data: { video_url: 'https://cdn.example/v' } }, { kind: 'snapshot' }],
    [200, { task_id: 't2v1', code: 482, status: 'failed' }, { kind: 'snapshot' }],
    [200, { task_id: '', status: 'running' }, { kind: 'snapshot' }],
    [200, { task_id: 'other', status: 'running' }, { kind: 'unanswered' }],
    [200, { code: 500, msg: 'oops' }, { kind: 'unanswered' }],
    [200, { code: 429, msg: 'slow' }, { kind: 'unanswered', retryAfterMs: 7_000 }],
    [200, 'no json', { kind: 'unanswered' }],
    [482, { code: 482, status: 'failed' }, { kind: 'snapshot' }],
    [482, { code: 482, status: 'error' }, { kind: 'unanswered' }],
    [401, { status: 'failed' }, { kind: 'unanswered' }],
    [404, { detail: 'Not Found' }, { kind: 'unanswered' }],
    [404, { status: 'failed' }, { kind: 'unanswered' }],
    [429, { status: 'failed' }, { kind: 'unanswered', retryAfterMs: 7_000 }],
    [500, { status: 'failed' }, { kind: 'unanswered' }],
    [500, { status: 'success', data: { video_url: 'https://cdn.example/v' } }, { kind: 'unanswered' }],
  ])('reads %i %j as %j', async (status, body, reading) => {
    answer(status, body, { 'retry-after': '7' })
    expect(await driver().read('text2video/t2v1', 'org_1')).toMatchObject(reading)
  })

  it('keeps the id of a task, which opens it, out of its error', async () => {
    answer(200, { status: 'failed', msg: 'task t2v1 with canary-key failed' })
    const reading = await driver().read('text2video/t2v1', 'org_1')
    expect(reading).toMatchObject({ snapshot: { error: { message: 'task … with … failed' } } })
  })

  it('does not ask the vendor about a ticket that it has not written, and deletes nothing', async () => {
    for (const ticket of ['', 't2v1', 'upscale/t2v1', 'text2video/..', 'text2video/../x']) {
      expect(await driver().read(ticket, 'org_1')).toMatchObject({ kind: 'unanswered' })
    }
    expect(driver().delete).toBeUndefined()
    expect(scenario.requests).toEqual([])
  })
})
