import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { CONNECTION_FAULTS, openProxiedWorld, PROXIED_PARTS, startClients } from './proxied-world.ts'

/** Rounds over all parts and faults. With 0 rounds, each fault happens once, at one of the parts. */
const ROUNDS = roundsOf({ slice: 0, whole: 5 })
const LANES = 4
const LASTS_MS_MAX = 2_500

const PLAN = [
  ...CONNECTION_FAULTS.map((fault, place) => ({
    part: PROXIED_PARTS[place % PROXIED_PARTS.length] ?? 'store',
    fault,
  })),
  ...Array.from({ length: ROUNDS }).flatMap(() =>
    PROXIED_PARTS.flatMap((part) => CONNECTION_FAULTS.map((fault) => ({ part, fault }))),
  ),
]

test(`${PLAN.length} faults of connections to ${PROXIED_PARTS.join(', ')}: every error has our envelope, the gateway recovers by itself, and each charge is exact`, {
  timeout: 1_800_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const { replicas, books, proxies, sent, openTasks } = await openProxiedWorld({ replicas: 1 })
  const { key } = books.tenant
  const baseUrls = replicas.map(({ baseUrl }) => baseUrl)
  const { seen, running, stop } = startClients({ baseUrls, key, lanes: LANES, name: 'faults' })
  const breakAll = async () => {
    for (const { part, fault } of PLAN) {
      await proxies[part].setMode(fault(random))
      await delay(random.integer(100, LASTS_MS_MAX))
      await proxies[part].setMode({ kind: 'pass' })
      const before = { ...seen }
      await expect
        .poll(() => seen.text > before.text + LANES && seen.videos > before.videos + 1, {
          timeout: 90_000,
          interval: 50,
        })
        .toBe(true)
    }
  }
  // A client that fails ends the run immediately, not only after the last fault.
  await Promise.race([running, breakAll()])
  stop()
  await running
  // The lease of a task whose answer was lost takes a minute to lapse: only the whole run waits for it.
  if (ROUNDS > 0) await expect.poll(openTasks, { timeout: 120_000, interval: 300 }).toBe(0)
  expect([...sent.values()].filter(({ length }) => length > 1)).toEqual([])
  const charged = `select id from text_usage where outcome = 'completed' and cost_micros > 0`
  await expect
    .poll(async () => (await books.rows(charged)).length, { timeout: 60_000, interval: 300 })
    .toBeGreaterThanOrEqual(seen.text)
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  reportFigure(`${PLAN.length} faults of connections: ${JSON.stringify(seen)}, 0 videos made twice`)
})
