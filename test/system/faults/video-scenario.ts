import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { CallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import type { SeededRandom } from '../../random/seeded-random.ts'
import { freePort } from '../../servers/free-port.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { type BookCounts, compareBooks, pendingCallbacks } from './compare-video-books.ts'
import { CRASH_AT_VARIABLE } from './harness/crash-at.ts'
import { CRASHABLE_SERVER, type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { AUTHORITY_FILE } from './harness/tls-target.ts'
import type { Books } from './video-books.ts'
import { type FollowedOrder, openOrderClient } from './video-client.ts'
import { bodyOf, type CrashPoint } from './video-crash-points.ts'
import type { CountingVendors } from './video-vendors.ts'

export interface StoryCounts extends BookCounts {
  crashes: number
  /** Orders that had not ended for their client when a process died. */
  leftOpen: number
}

/** A replica that is not killed. It may still be starting. */
export interface Survivor {
  baseUrl: string
  started: Promise<unknown>
}

const CRASH_WITHIN_MS = 90_000
const BREATH_MS = 400

/**
 * One store, and a gateway that is killed once at every point while orders come in. Without a survivor it starts again
 * each time and ends the orders itself. With one it starts again only when the survivor has ended them.
 */
export async function liveThroughCrashes({
  name,
  books,
  vendors,
  receiver,
  random,
  points,
  survivor,
}: {
  name: string
  books: Books
  vendors: CountingVendors
  receiver: CallbackReceiver
  random: SeededRandom
  points: readonly CrashPoint[]
  survivor?: Survivor
}): Promise<StoryCounts> {
  const port = await freePort()
  const ownUrl = `http://127.0.0.1:${port}`
  let baseUrl = ownUrl
  const client = openOrderClient({ baseUrl: () => baseUrl, key: books.tenant.key })
  const orders: Promise<FollowedOrder>[] = []
  const bodies = new Map<string, object>()
  const open = new Set<string>()
  let leftOpen = 0
  let gateway: GatewayProcess | undefined

  function placeOrder(point: CrashPoint): Promise<FollowedOrder> {
    const order = `order-${name}-${orders.length}-${point}`
    const body = bodyOf(order, { point, receiver, random })
    bodies.set(order, body)
    open.add(order)
    const followed = client.follow({ name: order, body }).finally(() => open.delete(order))
    // The result is read after all have ended; until then a rejection must not count as unhandled.
    followed.catch(() => {})
    orders.push(followed)
    return followed
  }

  /** With left-over work a process may reach its point before it is seen to be ready. */
  async function start(plan: string): Promise<GatewayProcess> {
    const env = { [CRASH_AT_VARIABLE]: plan }
    baseUrl = ownUrl
    if (gateway !== undefined) {
      const again = gateway
      await again.restart({ env }).catch(async (error: unknown) => {
        const { signal } = await again.exited(1)
        if (signal !== 'SIGKILL') throw error
      })
      return again
    }
    const noticeBaseUrl = survivor?.baseUrl ?? ownUrl
    gateway = await startGateway({
      ...{ args: CRASHABLE_SERVER, port },
      env: { ...envOfScenario({ books, vendors, noticeBaseUrl }), ...env },
    })
    return gateway
  }

  async function dieAt(point: CrashPoint): Promise<void> {
    const doomed = await start(point)
    await survivor?.started
    let isDead = false
    const death = doomed.exited(CRASH_WITHIN_MS).finally(() => {
      isDead = true
      if (survivor !== undefined) baseUrl = survivor.baseUrl
    })
    death.catch(() => {})
    while (!isDead) await Promise.race([death, placeOrder(point).then(() => delay(BREATH_MS))])
    expect({ point, ...(await death) }).toEqual({ point, code: null, signal: 'SIGKILL' })
    leftOpen += open.size
    if (survivor !== undefined) await Promise.all(orders)
  }

  try {
    for (const point of points) await dieAt(point)
    if (survivor === undefined) {
      await books.endLeases()
      await start('')
    }
    const followed = await Promise.all(orders)
    await expect.poll(() => pendingCallbacks(books), { timeout: 120_000, interval: 200 }).toBe(0)
    for (const { name: order, id, status } of followed) {
      // Reported states stay, and a repeated order returns the same task.
      expect(await client.get(id)).toMatchObject({ status: 200, body: { id, status } })
      const again = await client.create({ name: order, body: bodies.get(order) ?? {} })
      expect(again).toMatchObject({ status: 200, body: { id, status } })
    }
    expect(client.surprises).toEqual([])
    const counts = await compareBooks({ followed, books, vendors, receiver })
    expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
    return { crashes: points.length, leftOpen, ...counts }
  } finally {
    await gateway?.stop()
  }
}

/** Variables of every gateway of a test. */
export function envOfScenario({
  books,
  vendors,
  noticeBaseUrl,
}: {
  books: Books
  vendors: CountingVendors
  noticeBaseUrl: string
}): Record<string, string> {
  return {
    ...books.env,
    SLUICE_CONFIG: vendors.configFile,
    VIDEO_WEBHOOK_BASE_URL: noticeBaseUrl,
    VIDEO_SWEEP_INTERVAL_MS: '200',
    SUBMITTING_RESOLVE_SECONDS: '2',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
    LOG_LEVEL: 'warn',
  }
}

export function sumOf(scenarios: readonly StoryCounts[]): StoryCounts {
  const sum: StoryCounts = {
    ...{ crashes: 0, leftOpen: 0, orders: 0, succeeded: 0, handedOver: 0, lost: 0 },
    ...{ resent: 0, callbacks: 0, repeated: 0, givenUp: 0 },
  }
  for (const counts of scenarios) {
    sum.crashes += counts.crashes
    sum.leftOpen += counts.leftOpen
    sum.orders += counts.orders
    sum.succeeded += counts.succeeded
    sum.handedOver += counts.handedOver
    sum.lost += counts.lost
    sum.resent += counts.resent
    sum.callbacks += counts.callbacks
    sum.repeated += counts.repeated
    sum.givenUp += counts.givenUp
  }
  return sum
}
