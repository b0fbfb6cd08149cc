import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_BREAKER_RULES } from '../../../src/adapters/outbound/breaker.ts'
import type { Upstream, UpstreamOptions } from '../../../src/adapters/outbound/upstream.ts'
import { CALL_LIMITS, type CallLimits } from '../../../src/adapters/providers/ask-vendor.ts'
import type { AssetDriver } from '../../../src/ports/asset-driver.ts'
import { connectUpstream } from '../../system/faults/harness/connect-upstream.ts'
import type { FaultMode } from '../../system/faults/harness/fault-mode.ts'
import { ACCOUNT, type AssetStandIn, startAssetStandIn } from '../assets/asset-stand-in.ts'

const CANARIES = ['canary-token', 'canary-state', 'canary-sign', ACCOUNT.accessKey, ACCOUNT.secretKey]
const QUESTION = {
  groupTickets: ['group-1'],
  groupKind: 'default',
  statuses: undefined,
  name: undefined,
} as const

/** Every call once, all at the same time. */
function askEverything(driver: AssetDriver) {
  return Promise.all([
    driver.createGroup({ organizationId: 'org_1', name: 'n' }),
    driver.createAsset({
      organizationId: 'org_1',
      groupTicket: 'group-1',
      url: 'https://m.example/a.png?s=canary-sign',
      type: 'Image',
      name: 'n',
    }),
    driver.startVerification({
      organizationId: 'org_1',
      returnUrl: 'https://us.example/back/canary-state',
      language: 'zh',
    }),
    driver.getAsset('asset-1', 'org_1'),
    driver.listAssets({
      organizationId: 'org_1',
      ...QUESTION,
      page: 1,
      limit: 10,
      sortBy: 'create_time',
      sortOrder: 'desc',
    }),
    driver.exchange('canary-token', 'org_1'),
  ])
}

interface Fault {
  name: string
  /** Result of the exchange; default: `unanswered`. */
  exchange?: 'not-taken'
  mode?: FaultMode
  /** Bytes that the vendor sends instead of a response before it closes; undefined: it resets the connection. */
  raw?: string
  status?: number
  body?: string
  upstream?: Partial<UpstreamOptions>
  limits?: Partial<CallLimits>
}

const WAITS = { createTimeoutMs: 250, readTimeoutMs: 250 }
const LONG = JSON.stringify({ Result: { Id: 'asset-1', Status: 'Failed', filler: 'x'.repeat(5_000) } })

const FAULTS: Fault[] = [
  { name: 'no server listens', exchange: 'not-taken', mode: { kind: 'refuse' } },
  { name: 'reset', raw: 'reset' },
  { name: 'hangs', mode: { kind: 'hang' }, upstream: { firstByteTimeoutMs: 200 } },
  { name: 'hangs beyond the total limit', mode: { kind: 'hang' }, limits: WAITS },
  { name: 'drips', mode: { kind: 'drip', bytes: 1, everyMs: 20 }, limits: WAITS },
  { name: 'not HTTP', raw: 'garbage\r\n\r\n' },
  { name: 'closed without a word', raw: '' },
  { name: 'not JSON', body: '<html>fine</html>' },
  { name: 'empty', body: '' },
  { name: 'a list', body: '[]' },
  { name: 'cut', mode: { kind: 'cut-after', direction: 'to-client', bytes: 400 }, body: LONG },
  { name: 'too large', body: LONG, limits: { maxBytes: 1_000 } },
  { name: '500 in HTML', exchange: 'not-taken', status: 500, body: '<html>oops</html>' },
  { name: '401', status: 401 },
  { name: 'a redirect', status: 307, body: LONG },
]

describe('a fault of the asset service', () => {
  let vendor: AssetStandIn

  beforeEach(async () => {
    vendor = await startAssetStandIn()
  })
  afterEach(() => vendor.scenario.close())

  function openUpstream(changes: Partial<UpstreamOptions> = {}): Upstream {
    const baseUrl = `http://127.0.0.1:${vendor.scenario.proxy.port}/plane`
    // The breaker opens late, because the test makes many failures on purpose.
    const breaker = { ...DEFAULT_BREAKER_RULES, failuresInARowToOpen: 1_000 }
    return vendor.scenario.open({ baseUrl, connections: 6, breaker, ...changes })
  }

  it.each(FAULTS)('$name: nothing is decided, and each call is sent once', async (fault) => {
    const { raw, status = 200, body = '' } = fault
    const upstream = openUpstream(fault.upstream)
    if (fault.limits === WAITS) await connectUpstream(vendor.scenario, upstream, 6)
    vendor.scenario.answer = (request, response) => {
      if (raw === undefined) response.writeHead(status).end(body)
      else if (raw === 'reset') request.socket.resetAndDestroy()
      else request.socket.end(raw)
    }
    await vendor.scenario.proxy.setMode(fault.mode ?? { kind: 'pass' })
    const limits = { ...CALL_LIMITS, ...fault.limits }
    const outcomes = await askEverything(vendor.open({ upstream, limits }))
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'failed',
      'failed',
      'failed',
      'unanswered',
      'unanswered',
      fault.exchange ?? 'unanswered',
    ])
    expect(new Set(vendor.scenario.requests).size).toBe(vendor.scenario.requests.length)
    expectNoSecret(outcomes)
  })

  it('opens the breaker, which then sends no call', async () => {
    vendor.scenario.answer = (_request, response) => response.writeHead(500).end()
    const rules = { ...DEFAULT_BREAKER_RULES, failuresInARowToOpen: 1, openMsMin: 30_000, openMsMax: 30_000 }
    const driver = vendor.open({ upstream: openUpstream({ breaker: rules }), limits: CALL_LIMITS })
    await askEverything(driver)
    const asked = vendor.scenario.requests.length
    const outcomes = await askEverything(driver)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ retryAfterMs: expect.any(Number) })
    expect(outcomes.at(-1)).toMatchObject({ kind: 'not-taken' })
    expect(vendor.scenario.requests).toHaveLength(asked)
  })

  it.each(['not HTTP', '200', '400', '404', '429', '500'])(
    '%s that echoes everything keeps the secrets in',
    async (kind) => {
      vendor.scenario.answer = async (request, response) => {
        const echo = `${JSON.stringify(request.headers)} ${await buffer(request)}`
        const error = { Code: 'InvalidParameter', Message: echo }
        if (kind === 'not HTTP') request.socket.end(echo)
        else response.writeHead(Number(kind)).end(JSON.stringify({ ResponseMetadata: { Error: error } }))
      }
      expectNoSecret(await askEverything(vendor.open({ upstream: openUpstream(), limits: CALL_LIMITS })))
    },
  )
})

function expectNoSecret(outcomes: unknown): void {
  const shown = inspect(outcomes, { depth: null, showHidden: true })
  for (const canary of CANARIES) expect(shown).not.toContain(canary)
}
