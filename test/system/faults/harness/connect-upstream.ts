import { expect } from 'vitest'
import type { Upstream } from '../../../../src/adapters/outbound/upstream.ts'
import { type UpstreamScenario, WHOLE } from './upstream-scenario.ts'

/**
 * Opens this many connections before the fault. A call that is aborted while it connects never reaches the vendor; on
 * a busy machine connecting may take all of its time.
 */
export async function connectUpstream(
  scenario: UpstreamScenario,
  upstream: Upstream,
  connections = 1,
): Promise<void> {
  const calls = Array.from({ length: connections }, (_, index) => ({ ...WHOLE, path: `/connect/${index}` }))
  await Promise.all(calls.map((call) => upstream.request(call)))
  await expect.poll(scenario.pool).toMatchObject({ busy: 0, idle: connections })
}
