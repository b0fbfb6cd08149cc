import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { CheckpointName } from '../../../src/ports/checkpoint.ts'
import type { CallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { CANARY } from '../../random/canary.ts'
import type { SeededRandom } from '../../random/seeded-random.ts'
import { freePort } from '../../servers/free-port.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { CRASH_AT_VARIABLE } from './harness/crash-at.ts'
import { CRASHABLE_SERVER, type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { AUTHORITY_FILE } from './harness/tls-target.ts'
import type { Books } from './video-books.ts'
import { type FollowedOrder, openOrderClient } from './video-client.ts'
import type { CountingVendors } from './video-vendors.ts'

export interface StoryCounts {
  crashes: number
  orders: number
  succeeded: number
  /** Failed because the vendor's answer was lost with the process. */
  lost: number
  /** Orders that had to be sent more than once. */
  resent: number
  callbacks: number
  /** Deliveries beyond the first of a callback. */
  repeated: number
}

/** The first two leave a task that has to be resolved: they come early, so that it is before the leases get in its way. */
export const CRASH_POINTS = [
  'create.after-intent',
  'create.after-upstream',
  'create.before-intent',
  'create.after-accept',
  'create.answering',
  'settle.before',
  'settle.after',
  'callback.before-send',
  'callback.after-send',
  'callback.after-record',
] as const satisfies readonly CheckpointName[]

const CRASH_WITHIN_MS = 90_000
const BREATH_MS = 400
const ATTEMPTS_MAX = 3

/** One store, one gateway that dies once at every point while orders come in, and a last one that may live. */
export async function liveThroughCrashes({
  name,
  books,
  vendors,
  receiver,
  random,
}: {
  name: string
  books: Books
  vendors: CountingVendors
  receiver: CallbackReceiver
  random: SeededRandom
}): Promise<StoryCounts> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const client = openOrderClient({ baseUrl, key: books.tenant.key })
  const orders: Promise<FollowedOrder>[] = []
  const bodies = new Map<string, object>()
  let gateway: GatewayProcess | undefined

  function placeOrder(point: CheckpointName): Promise<FollowedOrder> {
    const order = `order-${name}-${orders.length}-${point}`
    const body = bodyOf(order, { point, receiver, random })
    bodies.set(order, body)
    const followed = client.follow({ name: order, body })
    // It is looked at when all have ended; until then it must not count as unhandled.
    followed.catch(() => {})
    orders.push(followed)
    return followed
  }

  /** With left-over work a process may reach its point before it is seen to be ready. */
  async function start(plan: string): Promise<GatewayProcess> {
    const env = { [CRASH_AT_VARIABLE]: plan }
    if (gateway !== undefined) {
      const again = gateway
      await again.restart({ env }).catch(async (error: unknown) => {
        const { signal } = await again.exited(1)
        if (signal !== 'SIGKILL') throw error
      })
      return again
    }
    gateway = await startGateway({
      args: CRASHABLE_SERVER,
      port,
      env: {
        ...books.env,
        ...env,
        SLUICE_CONFIG: vendors.configFile,
        VIDEO_WEBHOOK_BASE_URL: baseUrl,
        VIDEO_SWEEP_INTERVAL_MS: '200',
        SUBMITTING_RESOLVE_SECONDS: '2',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
        LOG_LEVEL: 'warn',
      },
    })
    return gateway
  }

  async function dieAt(point: CheckpointName): Promise<void> {
    const doomed = await start(point)
    let isDead = false
    const death = doomed.exited(CRASH_WITHIN_MS).finally(() => {
      isDead = true
    })
    death.catch(() => {})
    while (!isDead) await Promise.race([death, placeOrder(point).then(() => delay(BREATH_MS))])
    expect({ point, ...(await death) }).toEqual({ point, code: null, signal: 'SIGKILL' })
  }

  try {
    for (const point of CRASH_POINTS) await dieAt(point)
    await start('')
    const followed = await Promise.all(orders)
    await expect.poll(() => pendingCallbacks(books), { timeout: 120_000, interval: 200 }).toBe(0)
    for (const { name: order, id, status } of followed) {
      // Nothing that was said is taken back, and the same order is the same task to the end.
      expect(await client.get(id)).toMatchObject({ status: 200, body: { id, status } })
      const again = await client.create({ name: order, body: bodies.get(order) ?? {} })
      expect(again).toMatchObject({ status: 200, body: { id, status } })
    }
    expect(client.surprises).toEqual([])
    const counts = await compareBooks({ followed, books, vendors, receiver })
    expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
    return { crashes: CRASH_POINTS.length, ...counts }
  } finally {
    await gateway?.stop()
  }
}

/** Create orders take their time, so that a notice can still find a task whose answer was lost; the others end at once. */
function bodyOf(
  order: string,
  { point, receiver, random }: { point: CheckpointName; receiver: CallbackReceiver; random: SeededRandom },
): object {
  const isCreate = point.startsWith('create.')
  const words = isCreate ? '' : random.pick(['[instant]', '[instant]', '[instant] [fail]'])
  return {
    model: random.pick(['vendorA/gen-2.0', 'vendorB/gen-v4-std']),
    content: [{ type: 'text', text: `${order} ${words}` }],
    ...(isCreate ? {} : { callback_url: receiver.urlOf(`/${order}?signature=${CANARY}`) }),
  }
}

export async function pendingCallbacks({ rows }: Books): Promise<number> {
  return (await rows(`select id from video_callbacks where state = 'pending'`)).length
}

/** What the store, the vendors and the client's receiver have seen must be what the client was told. */
export async function compareBooks({
  followed,
  books,
  vendors,
  receiver,
}: {
  followed: readonly FollowedOrder[]
  books: Books
  vendors: CountingVendors
  receiver: CallbackReceiver
}): Promise<Omit<StoryCounts, 'crashes'>> {
  const rows = await books.rows(TASKS)
  expect(rows.map(({ key, id, status }) => [key, id, status]).toSorted()).toEqual(
    followed.map(({ name, id, status }) => [name, id, status]).toSorted(),
  )
  let callbacks = 0
  let deliveries = 0
  for (const row of rows) {
    const creates = vendors.creates.get(String(row.key)) ?? 0
    const received = receiver.received.filter(({ path }) => path.split('?', 1)[0] === `/${row.key}`)
    const owes = Number(row.owes_callback)
    expect({
      ...row,
      wasSentRightly: row.status === 'succeeded' ? creates === 1 : creates <= 1,
      settlements: Number(row.settlements),
      callbacks: Number(row.callbacks),
      hasDelivery: received.length > 0,
      isWithinAttempts: received.length <= ATTEMPTS_MAX && Number(row.attempts) <= ATTEMPTS_MAX,
    }).toEqual({
      ...row,
      wasSentRightly: true,
      settlements: row.status === 'succeeded' ? 1 : 0,
      callbacks: owes,
      hasDelivery: owes === 1,
      isWithinAttempts: true,
    })
    // Every delivery is about the end of the task, under one id.
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(owes)
    for (const { body } of received)
      expect(JSON.parse(body)).toMatchObject({ id: row.id, status: row.status })
    callbacks += owes
    deliveries += received.length
  }
  return {
    orders: followed.length,
    succeeded: followed.filter(({ status }) => status === 'succeeded').length,
    lost: followed.filter(({ errorCode }) => errorCode === 'upstream_error').length,
    resent: followed.filter(({ sent }) => sent > 1).length,
    callbacks,
    repeated: deliveries - callbacks,
  }
}

const TASKS = `
  select t.id, t.status, k.key,
    case when t.owes_callback then 1 else 0 end as owes_callback,
    (select count(*) from holds h join ledger_entries e on e.hold_id = h.id
      where h.task_id = t.id and e.kind = 'settlement') as settlements,
    (select count(*) from video_callbacks c where c.task_id = t.id) as callbacks,
    (select coalesce(max(c.attempt_count), 0) from video_callbacks c where c.task_id = t.id) as attempts
  from video_tasks t left join idempotency_keys k on k.task_id = t.id`
