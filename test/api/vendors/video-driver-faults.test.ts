import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_BREAKER_RULES } from '../../../src/adapters/outbound/breaker.ts'
import type { Upstream, UpstreamOptions } from '../../../src/adapters/outbound/upstream.ts'
import { CALL_LIMITS, type CallLimits } from '../../../src/adapters/providers/ask-vendor.ts'
import { vendorADriver } from '../../../src/adapters/providers/vendor-a/driver.ts'
import { vendorBDriver } from '../../../src/adapters/providers/vendor-b/driver.ts'
import type { VideoDriver } from '../../../src/ports/video-driver.ts'
import { connectUpstream } from '../../system/faults/harness/connect-upstream.ts'
import type { FaultMode } from '../../system/faults/harness/fault-mode.ts'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'

const KEY = 'canary-key-0123456789'
const OPTIONS = {
  durationSeconds: 5,
  ratio: undefined,
  resolution: undefined,
  seed: undefined,
  framesPerSecond: undefined,
  generateAudio: undefined,
  draft: undefined,
  serviceTier: undefined,
}
const REST = { organizationId: 'org_1', expiresAfterSeconds: 600, noticeUrl: undefined }

interface Subject {
  name: string
  ticket: string
  open(upstream: Upstream, limits: CallLimits): VideoDriver
  create: Parameters<VideoDriver['create']>[0]
}

const SUBJECTS: Subject[] = [
  {
    name: 'vendor A',
    ticket: 'cgt-1',
    open: (upstream, limits) =>
      vendorADriver({ upstream, limits, apiKey: () => KEY, models: new Map([['gen-2.0', 'up']]) }),
    create: {
      ...REST,
      order: { family: 'a', model: 'gen-2.0', items: [{ kind: 'text', text: 'a cat' }], options: OPTIONS },
    },
  },
  {
    name: 'vendor B',
    ticket: 'text2video/t2v1',
    open: (upstream, limits) => vendorBDriver({ upstream, limits, apiKey: () => KEY }),
    create: {
      ...REST,
      order: {
        family: 'b',
        model: 'gen-v4-std',
        mode: 'std',
        work: { taskType: 'text-to-video', prompt: 'a cat' },
        options: OPTIONS,
      },
    },
  },
]

interface Fault {
  name: string
  mode?: FaultMode
  /** Bytes that the vendor sends instead of a response before it closes; undefined: it resets the connection. */
  raw?: string
  status?: number
  body?: string
  headers?: Record<string, string>
  upstream?: Partial<UpstreamOptions>
  limits?: Partial<CallLimits>
  create: object
  /** Expected members of a poll's result; its kind is `unanswered` for every fault. */
  read?: object
  /** Set for a success status with a meaningless body, which counts as a deletion. */
  deletion?: 'deleted'
}

const WAITS = { createTimeoutMs: 250, readTimeoutMs: 250, deleteTimeoutMs: 250 }
const LOST = { kind: 'lost' }
const UNAVAILABLE = { kind: 'refused', apiError: { status: 503, code: 'provider_unavailable' } }
const LONG = JSON.stringify({ id: 'cgt-1', task_id: 't2v1', status: 'running', filler: 'x'.repeat(5_000) })

const FAULTS: Fault[] = [
  { name: 'no server listens', mode: { kind: 'refuse' }, create: UNAVAILABLE },
  { name: 'reset', raw: 'reset', create: LOST },
  { name: 'hangs', mode: { kind: 'hang' }, upstream: { firstByteTimeoutMs: 200 }, create: LOST },
  { name: 'hangs beyond the total limit', mode: { kind: 'hang' }, limits: WAITS, create: LOST },
  { name: 'drips', mode: { kind: 'drip', bytes: 1, everyMs: 20 }, limits: WAITS, create: LOST },
  { name: 'not HTTP', raw: 'garbage\r\n\r\n', create: LOST },
  { name: 'closed without a word', raw: '', create: LOST },
  { name: 'not JSON', body: '<html>fine</html>', create: LOST, deletion: 'deleted' },
  { name: 'empty', body: '', create: LOST, deletion: 'deleted' },
  { name: 'cut', mode: { kind: 'cut-after', direction: 'to-client', bytes: 400 }, body: LONG, create: LOST },
  { name: 'too large', body: LONG, limits: { maxBytes: 1_000 }, create: LOST },
  { name: '500 in HTML', status: 500, body: '<html>oops</html>', create: UNAVAILABLE },
  {
    name: '503 with a time',
    status: 503,
    headers: { 'retry-after': '7' },
    create: { kind: 'refused', apiError: { status: 503, retryAfterSeconds: 7 } },
    read: { retryAfterMs: 7_000 },
  },
  {
    name: '429 with a time',
    status: 429,
    headers: { 'retry-after': '7' },
    create: { kind: 'refused', apiError: { status: 429, code: 'upstream_busy', retryAfterSeconds: 7 } },
    read: { retryAfterMs: 7_000 },
  },
  {
    name: '429 without a time',
    status: 429,
    create: { kind: 'refused', apiError: { status: 429, retryAfterSeconds: 1 } },
    read: { retryAfterMs: undefined },
  },
  { name: '401', status: 401, create: UNAVAILABLE },
  { name: '403', status: 403, create: UNAVAILABLE },
  { name: 'a redirect', status: 307, headers: { location: '/elsewhere' }, body: LONG, create: UNAVAILABLE },
]

describe.each(SUBJECTS)('a fault of $name', ({ ticket, open, create }) => {
  let scenario: UpstreamScenario

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
  })
  afterEach(() => scenario.close())

  it.each(FAULTS)('$name: one call, and the right outcome', async (fault) => {
    const { raw, status = 200, body = '', headers = {} } = fault
    const upstream = scenario.open(fault.upstream)
    if (fault.limits === WAITS) await connectUpstream(scenario, upstream)
    scenario.answer = (request, response) => {
      if (raw === undefined) response.writeHead(status, headers).end(body)
      else if (raw === 'reset') request.socket.resetAndDestroy()
      else request.socket.end(raw)
    }
    await scenario.proxy.setMode(fault.mode ?? { kind: 'pass' })
    const driver = open(upstream, { ...CALL_LIMITS, ...fault.limits })
    const made = await driver.create(create)
    const reading = await driver.read(ticket, 'org_1')
    const deletion = await driver.delete?.(ticket, 'org_1')
    expect(made).toMatchObject(fault.create)
    expect(reading).toMatchObject({ kind: 'unanswered', ...fault.read })
    if (deletion !== undefined) expect(deletion.kind).toBe(fault.deletion ?? 'unanswered')
    expect(scenario.requests.length).toBe(new Set(scenario.requests).size)
    expect(inspect([made, reading, deletion], { depth: null })).not.toContain(KEY)
  })

  it('opens the breaker, which then sends no call', async () => {
    scenario.answer = (_request, response) => response.writeHead(500).end()
    const breaker = {
      ...DEFAULT_BREAKER_RULES,
      failuresInARowToOpen: 1,
      openMsMin: 30_000,
      openMsMax: 30_000,
    }
    const driver = open(scenario.open({ breaker }), CALL_LIMITS)
    await driver.read(ticket, 'org_1')
    await driver.create(create)
    expect(await driver.create(create)).toMatchObject({
      kind: 'refused',
      apiError: { code: 'provider_unavailable', retryAfterSeconds: expect.toSatisfy((wait) => wait > 1) },
    })
    // The breaker stops only this organization, so it gives no delay of the vendor.
    const heldBack = { kind: 'unanswered', cause: { kind: 'breaker-open' }, retryAfterMs: undefined }
    expect(await driver.read(ticket, 'org_1')).toMatchObject(heldBack)
    expect(scenario.requests).toHaveLength(2)
  })

  it('is 503 when every slot and the queue are taken', async () => {
    let release = () => {}
    scenario.answer = (_request, response) => {
      release = () => response.end('{}')
    }
    const driver = open(scenario.open({ connections: 1, queueLimit: 0 }), CALL_LIMITS)
    const first = driver.read(ticket, 'org_1')
    await expect.poll(() => scenario.requests.length).toBe(1)
    expect(await driver.create(create)).toMatchObject({
      ...UNAVAILABLE,
      apiError: { cause: { kind: 'busy' } },
    })
    release()
    await first
    expect(scenario.requests).toHaveLength(1)
  })

  it.each(['not HTTP', 'HTTP 200', 'HTTP 400', 'HTTP 422'])(
    '%s that echoes the request keeps the key out',
    async (kind) => {
      scenario.answer = async (request, response) => {
        const echo = `${JSON.stringify(request.headers)} ${await text(request)}`
        const error = { code: 'InvalidParameter', message: echo }
        const answer = JSON.stringify({
          error,
          msg: echo,
          detail: [{ loc: ['body'], msg: echo, input: echo }],
        })
        if (kind === 'not HTTP') request.socket.end(echo)
        else response.writeHead(Number(kind.slice(5))).end(answer)
      }
      const driver = open(scenario.open(), CALL_LIMITS)
      const all = [
        await driver.create(create),
        await driver.read(ticket, 'org_1'),
        await driver.delete?.(ticket, 'org_1'),
      ]
      expect(inspect(all, { depth: null, showHidden: true })).not.toContain(KEY)
    },
  )
})
