import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { reportFigure } from '../../test/random/fault-run.ts'
import { openTwoTenants } from '../../test/system/faults/two-tenants.ts'
import { steadyClients } from '../../test/system/lifecycle/steady-clients.ts'
import type { Offer, Offered } from './offer-load.ts'

const STEP_MS = 6_000
const OVERLOAD_MS = 30_000
const TIMES = 5
const KEPT_MIN = 0.8
/** Smallest share of the wanted load that was offered. */
const OFFERED_MIN = 0.95
const IDLE_REQUESTS = 300
/** Costly for the gateway, which reads and converts it, and cheap for its sender. */
const BODY = JSON.stringify({
  model: 'vendorC/model-4.1',
  max_tokens: 100,
  messages: Array.from({ length: 400 }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: 'a few words of a long conversation',
  })),
})
const REQUEST = {
  path: '/v1/messages',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  body: BODY,
} as const

test(`${TIMES} times the load that a process can carry: 80 % of the best goodput, and an idle process refuses nothing`, {
  timeout: 900_000,
}, async () => {
  const vendor = new Worker(new URL('./plain-vendor.ts', import.meta.url))
  onTestFinished(async () => void (await vendor.terminate()))
  const [textVendorUrl]: string[] = await once(vendor, 'message')
  const { gateway, key } = await openTwoTenants({ SHED_LAG_MS: '250' }, { textVendorUrl })
  pinTo(0, gateway.pid)
  const { baseUrl } = gateway
  const idle = () => askOneByOne(baseUrl, key)
  expect(await idle()).toEqual([])

  let best = 0
  for (const count of [4, 8, 16, 31]) {
    const clients = steadyClients({ baseUrl, key, count, request: REQUEST })
    await delay(STEP_MS)
    await clients.stop()
    best = Math.max(best, (clients.answered() * 1_000) / STEP_MS)
  }

  const offer: Offer = { baseUrl, key, ...REQUEST, perSecond: best * TIMES, forMs: OVERLOAD_MS }
  const worker = new Worker(new URL('./offer-load.ts', import.meta.url), { workerData: offer })
  const [offered]: Offered[] = await once(worker, 'message')
  await worker.terminate()
  if (offered === undefined) throw new Error('the load says how it went')
  const goodput = (offered.answered * 1_000) / OVERLOAD_MS
  const perSecond = Math.round((offered.sent * 1_000) / OVERLOAD_MS)
  const refused = Object.entries(offered.refused).map(([why, count]) => `${count} times ${why}`)
  reportFigure(
    `best goodput ${Math.round(best)} a second; ${perSecond} a second offered for ${OVERLOAD_MS / 1_000} s: ` +
      `${Math.round(goodput)} a second answered (${Math.round((goodput / best) * 100)} %, half of them within ${Math.round(offered.answeredMsMedian)} ms), ` +
      `refused ${refused.join(', ') || 'none'} (half of them within ${Math.round(offered.refusedMsMedian)} ms, 99 % within ${Math.round(offered.refusedMs99)} ms), ` +
      `${offered.broken} broken, ${offered.unsent} not sent`,
  )
  expect(offered.strange).toEqual([])
  // Less than this would not be the load that the title names.
  expect(offered.sent / offer.forMs).toBeGreaterThanOrEqual((offer.perSecond / 1_000) * OFFERED_MIN)
  await delay(3_000)
  expect(await idle()).toEqual([])
  expect(goodput / best).toBeGreaterThanOrEqual(KEPT_MIN)
})

/** Returns the answers that were not 200. */
async function askOneByOne(baseUrl: string, key: string): Promise<unknown[]> {
  const clients = steadyClients({ baseUrl, key, count: 1, request: REQUEST, pauseMs: 5 })
  await expect
    .poll(() => clients.answered() + clients.failures.length, { timeout: 120_000 })
    .toBeGreaterThan(IDLE_REQUESTS)
  await clients.stop()
  return [...clients.failures]
}

/** The gateway has one core for itself: what offers the load, and the vendor, have the others. */
function pinTo(core: number, pid: number): void {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
    execFileSync('taskset', ['-a', '-c', '-p', '1-1023', String(process.pid)], { stdio: 'ignore' })
  } catch {
    // Without it the cores are shared, and the figures are worse.
  }
}
