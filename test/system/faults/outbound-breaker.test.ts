import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Upstream } from '../../../src/adapters/outbound/upstream.ts'
import { startUpstreamScenario, type UpstreamScenario, WHOLE } from './harness/upstream-scenario.ts'

const OPEN = { kind: 'breaker-open', taken: 'no' }

describe('breakers of organizations and of all', () => {
  let scenario: UpstreamScenario
  let upstream: Upstream

  beforeEach(async () => {
    scenario = await startUpstreamScenario()
    scenario.answer = (request, response) => response.writeHead(request.url === '/api/bad' ? 500 : 200).end()
    upstream = scenario.open()
  })
  afterEach(() => scenario.close())

  const ask = (holder: string, path: '/bad' | '/good', target = 'model-1') =>
    upstream.request({ ...WHOLE, holder, path, target })

  it('failures that one organization causes open its breaker only', async () => {
    for (let call = 0; call < 5; call += 1) expect((await ask('org_a', '/bad')).status).toBe(500)
    await expect(ask('org_a', '/good')).rejects.toMatchObject({ ...OPEN, scope: 'organization' })
    expect(upstream.isOpen({ target: 'model-1', holder: 'org_a' })).toBe(true)
    expect(upstream.isOpen({ target: 'model-1', holder: 'org_b' })).toBe(false)
    expect(upstream.areBreakersClosed).toBe(false)
    expect((await ask('org_b', '/good')).status).toBe(200)
    expect((await ask('org_a', '/good', 'model-2')).status).toBe(200)
    expect(scenario.metrics.breakerStates.at(-1)).toBe('closed')
  })

  it('failures of two organizations open it for all, and only for that model', async () => {
    expect(upstream.areBreakersClosed).toBe(true)
    for (let call = 0; call < 3; call += 1) await ask('org_a', '/bad')
    for (let call = 0; call < 2; call += 1) await ask('org_b', '/bad')
    await expect(ask('org_c', '/good')).rejects.toMatchObject({ ...OPEN, scope: 'all' })
    expect(upstream.isOpen({ target: 'model-1', holder: 'org_c' })).toBe(true)
    expect(upstream.isOpen({ target: 'model-2', holder: 'org_c' })).toBe(false)
    expect((await ask('org_c', '/good', 'model-2')).status).toBe(200)
    expect(scenario.metrics.breakerStates).toEqual(['closed', 'open'])
  })

  it('failures with successes between them open no breaker', async () => {
    for (let call = 0; call < 4; call += 1) {
      await ask('org_a', '/bad')
      await ask('org_a', '/good')
    }
    for (let call = 0; call < 4; call += 1) await ask('org_a', '/bad')
    expect((await ask('org_a', '/good')).status).toBe(200)
  })
})
