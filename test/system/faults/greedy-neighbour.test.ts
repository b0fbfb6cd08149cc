import { expect, test } from 'vitest'
import { reportFigure } from '../../random/fault-run.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { steadyClients, TEXT_REQUEST } from '../lifecycle/steady-clients.ts'
import { openTwoTenants } from './two-tenants.ts'

const REQUESTS = 100

test(`all ${REQUESTS} requests of one organization are served while another sends large bodies, reads no replies, and sends failing prompts and many callbacks`, {
  timeout: 300_000,
}, async () => {
  const { gateway, books, key, startGreed } = await openTwoTenants()
  const stopGreed = await startGreed(['large-bodies', 'slow-readers', 'failing-prompts', 'callback-storm'])
  const clients = steadyClients({ baseUrl: gateway.baseUrl, key, count: 4, request: TEXT_REQUEST })
  await expect
    .poll(() => clients.answered() + clients.failures.length, { timeout: 120_000, interval: 50 })
    .toBeGreaterThan(REQUESTS)
  await clients.stop()
  const sent = await stopGreed()
  expect(clients.failures).toEqual([])
  // Only the breaker of the failing organization may open, not the one that both share.
  expect(gateway.output()).not.toMatch(/"breaker\.opened"/)
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  reportFigure(
    `a greedy neighbour sent ${Object.values(sent).reduce((a, b) => a + b)} requests: ${clients.answered()} requests of the other organization served, 0 refused`,
  )
})
