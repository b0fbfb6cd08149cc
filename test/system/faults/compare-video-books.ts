import { expect } from 'vitest'
import type { CallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import type { Books } from './video-books.ts'
import type { FollowedOrder } from './video-client.ts'
import type { CountingVendors } from './video-vendors.ts'

export interface BookCounts {
  orders: number
  succeeded: number
  /** Tasks that a stand-in took over. */
  handedOver: number
  /** Failed because the vendor's answer was lost with the process. */
  lost: number
  /** Orders that had to be sent more than once. */
  resent: number
  callbacks: number
  /** Deliveries beyond the first of a callback. */
  repeated: number
  /** Callbacks that were given up, because processes died during all of their attempts. */
  givenUp: number
}

const CALLBACK_ATTEMPTS_MAX = 3

/** Cost of a video of each model without further options, from any vendor. */
const CHARGE_MICROS: Readonly<Record<string, number>> = {
  // 121 pictures (5 seconds of 24, and one) of 1280 x 720 pixels, divided by 1024: 108,900 tokens at 7 USD a million.
  'vendorA/gen-2.0': 762_300,
  // 5 seconds at 0.14 USD.
  'vendorB/gen-v4-std': 700_000,
}

export async function pendingCallbacks({ rows }: Books): Promise<number> {
  return (await rows(`select id from video_callbacks where state = 'pending'`)).length
}

/** The records of the store, the vendors and the client's receiver must equal the client's. */
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
}): Promise<BookCounts> {
  const rows = await books.rows(TASKS)
  expect(rows.map(({ key, id, status }) => [key, id, status]).toSorted()).toEqual(
    followed.map(({ name, id, status }) => [name, id, status]).toSorted(),
  )
  let callbacks = 0
  let deliveries = 0
  let givenUp = 0
  for (const row of rows) {
    const isCharged = row.status === 'succeeded'
    const sent = vendors.sent.get(String(row.key)) ?? []
    const attempts = Number(row.attempt)
    const received = receiver.received.filter(({ path }) => path.split('?', 1)[0] === `/${row.key}`)
    const owes = Number(row.owes_callback)
    // On a slow machine a story is long enough for the leases of several dead processes to lapse in it.
    const mayBeLost = Number(row.died_sending) === CALLBACK_ATTEMPTS_MAX
    expect({
      ...row,
      sent,
      // An order is sent once to each vendor that had an attempt.
      wasSentRightly:
        new Set(sent).size === sent.length &&
        (isCharged ? sent.length === attempts : sent.length <= attempts),
      settlements: Number(row.settlements),
      chargedMicros: Number(row.charged_micros),
      callbacks: Number(row.callbacks),
      hasDelivery: received.length > 0 || mayBeLost,
      isWithinAttempts:
        received.length <= CALLBACK_ATTEMPTS_MAX && Number(row.callback_attempts) <= CALLBACK_ATTEMPTS_MAX,
    }).toEqual({
      ...row,
      sent,
      wasSentRightly: true,
      settlements: isCharged ? 1 : 0,
      chargedMicros: isCharged ? CHARGE_MICROS[String(row.model)] : 0,
      callbacks: owes,
      hasDelivery: owes === 1,
      isWithinAttempts: true,
    })
    // Every delivery is about the end of the task, under one id.
    const delivered = new Set(received.map(({ headers }) => headers['webhook-id'])).size
    expect(delivered).toBe(received.length === 0 ? 0 : owes)
    for (const { body } of received)
      expect(JSON.parse(body)).toMatchObject({ id: row.id, status: row.status })
    callbacks += delivered
    deliveries += received.length
    givenUp += owes - delivered
  }
  return {
    orders: followed.length,
    succeeded: followed.filter(({ status }) => status === 'succeeded').length,
    handedOver: rows.filter(({ attempt }) => Number(attempt) > 1).length,
    lost: followed.filter(({ errorCode }) => errorCode === 'upstream_error').length,
    resent: followed.filter(({ sent }) => sent > 1).length,
    callbacks,
    repeated: deliveries - callbacks,
    givenUp,
  }
}

const SETTLEMENTS_OF_TASK = `from holds h join ledger_entries e on e.hold_id = h.id
      where h.task_id = t.id and e.kind = 'settlement'`

const TASKS = `
  select t.id, t.status, t.model, t.attempt, k.key,
    case when t.owes_callback then 1 else 0 end as owes_callback,
    (select count(*) ${SETTLEMENTS_OF_TASK}) as settlements,
    (select coalesce(-sum(e.amount_micros), 0) ${SETTLEMENTS_OF_TASK}) as charged_micros,
    (select count(*) from video_callbacks c where c.task_id = t.id) as callbacks,
    (select coalesce(max(c.attempt_count), 0) from video_callbacks c where c.task_id = t.id) as callback_attempts,
    (select count(*) from callback_attempts a where a.task_id = t.id and a.error = 'unknown') as died_sending
  from video_tasks t left join idempotency_keys k on k.task_id = t.id`
