import { expect, test } from 'vitest'
import { reportFigure } from '../../random/fault-run.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { steadyClients, TEXT_REQUEST } from '../lifecycle/steady-clients.ts'
import { openTwoTenants } from './two-tenants.ts'

const REQUESTS = 100

test(`${REQUESTS} requests of one organization while another sends large bodies, reads nothing, fails and storms: all are served`, {
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
  // Only for the one that fails.
  expect(gateway.output()).not.toMatch(/"breaker\.opened"/)
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  reportFigure(
    `a greedy neighbour sent ${Object.values(sent).reduce((a, b) => a + b)} requests: ${clients.answered()} of the other served, 0 refused`,
  )
})
