import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { roundsOf, tellFigure } from '../../test/random/fault-run.ts'
import { openTwoTenants } from '../../test/system/faults/two-tenants.ts'
import { runSluice } from '../../test/system/lifecycle/run-sluice.ts'
import { steadyClients, TEXT_REQUEST } from '../../test/system/lifecycle/steady-clients.ts'

const ROUNDS = roundsOf({ slice: 1, whole: 6 })
const ROUND_MS = 10_000
/** The greed has begun, or has ended, before a round is counted. */
const SETTLE_MS = 2_000
const KEPT_MIN = 0.8

test(`${ROUNDS} rounds with a greedy neighbour and ${ROUNDS} without: the other organization keeps 80 % of its throughput`, {
  timeout: 1_800_000,
}, async () => {
  const vendor = new Worker(new URL('./plain-vendor.ts', import.meta.url))
  onTestFinished(async () => void (await vendor.terminate()))
  const [textVendorUrl]: string[] = await once(vendor, 'message')
  if (textVendorUrl === undefined) throw new Error('the vendor says where it is')
  const { gateway, books, key, startGreed } = await openTwoTenants({}, { textVendorUrl })
  // Clients that think a moment: the greedy one's own work on this machine is no part of what is measured.
  const clients = steadyClients({
    ...{ baseUrl: gateway.baseUrl, key, count: 8, request: TEXT_REQUEST },
    pauseMs: 20,
  })
  const measure = async () => {
    await delay(SETTLE_MS)
    const [before, beganMs] = [clients.answered(), performance.now()]
    await delay(ROUND_MS)
    return ((clients.answered() - before) * 1_000) / (performance.now() - beganMs)
  }
  const alone: number[] = []
  const beside: number[] = []
  let sent = 0
  await delay(SETTLE_MS)
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await measure())
    const stopGreed = startGreed(['large-bodies', 'slow-readers', 'failing-prompts', 'callback-storm'])
    beside.push(await measure())
    sent += await stopGreed()
  }
  await clients.stop()
  const kept = medianOf(beside) / medianOf(alone)
  tellFigure(
    `a greedy neighbour sent ${sent} requests in ${ROUNDS} rounds: ${Math.round(medianOf(alone))} requests a second of the other alone, ` +
      `${Math.round(medianOf(beside))} beside it (${Math.round(kept * 100)} %), ${clients.failures.length} refused`,
  )
  expect(clients.failures).toEqual([])
  // No breaker opens at all: what fails is the fault of one organization.
  expect(gateway.output()).not.toMatch(/"breaker\.opened"/)
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  expect(kept).toBeGreaterThanOrEqual(KEPT_MIN)
})

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}
