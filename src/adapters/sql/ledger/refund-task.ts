import { type Kysely, sql } from 'kysely'
import { ApiError } from '../../../domain/api-error.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewRefund, RefundMove, RefundOutcome } from '../../../ports/ledger.ts'
import { insertAudit } from '../audits.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { addToRollups } from '../usage/rollups.ts'
import { moveDay } from '../user-days.ts'
import type { CountedUnder } from './insert-entries.ts'
import { refundUsage } from './refund-usage.ts'

/**
 * Rows are taken in the order that `open-hold.ts` explains. The lock of the hold makes two refunds of one charge wait
 * for each other, so that they are never together more than the charge.
 */
export async function refundTask(
  db: Kysely<Tables>,
  { refund, audit }: { refund: NewRefund; audit: NewAudit },
  traits: EngineTraits,
): Promise<RefundOutcome> {
  if (isTextId(refund.taskId)) return refundUsage(db, { refund, audit }, traits)
  const charge = await lockCharge(db, refund.taskId, traits)
  if (charge === undefined) return { kind: 'nothing-left' }
  const earlier = await findEntry(db, refund.entryId)
  if (earlier !== undefined) return repeated(earlier, { refund, charge })
  const left = charge.charged - charge.refunded
  const amount = refund.amountMicros ?? left
  if (left <= 0) return { kind: 'nothing-left' }
  if (amount > left) return { kind: 'too-much', leftMicros: micros(left) }
  const { organizationId, userId, day, holdId, counted } = charge
  const { version } = await moveDay(db, { userId, day, delta: -amount })
  await sql`
    insert into ledger_entries
      (id, organization_id, kind, amount_micros, hold_id, note, created_at_ms, day_version, user_id, api_key_id, model,
       outcome)
    values (${refund.entryId}, ${organizationId}, 'refund', ${amount}, ${holdId}, ${refund.note}, ${refund.atMs},
      ${version}, ${counted.userId}, ${counted.keyId}, ${counted.model}, ${counted.outcome})`.execute(db)
  await countRefund(db, { organizationId, counted, amount, atMs: refund.atMs })
  await sql`
    update organizations set balance_micros = balance_micros + ${amount},
      budget_used_micros = case when budget_month = ${monthOf(day)} then budget_used_micros - ${amount}
        else budget_used_micros end
    where id = ${organizationId}`.execute(db)
  const detail = { ...audit.detail, amount_micros: amount }
  await insertAudit(db, { ...audit, organizationId, detail, entryId: refund.entryId, amountMicros: amount })
  return outcome({ ...charge, refunded: charge.refunded + amount }, { amount, isRepeat: false })
}

/** The id of a request or of its usage row. */
function isTextId(id: string): boolean {
  return id.startsWith('req_') || id.startsWith('use_')
}

interface Charge {
  holdId: string
  organizationId: string
  userId: string
  day: string
  charged: number
  refunded: number
  counted: CountedUnder
}

/** A refund lowers the cost in the hour it is given, under what its charge was counted under. */
async function countRefund(
  db: Kysely<Tables>,
  {
    organizationId,
    counted,
    amount,
    atMs,
  }: { organizationId: string; counted: CountedUnder; amount: number; atMs: number },
): Promise<void> {
  const { userId, keyId, model, outcome } = counted
  // The charge is not counted yet either: `count-late-usage.ts` counts both.
  if (userId === null || keyId === null || model === null || outcome === null) return
  const key = { organizationId, userId, keyId, model, outcome }
  await addToRollups(db, [{ ...key, requests: 0, costMicros: -amount, atMs }])
}

async function lockCharge(
  db: Kysely<Tables>,
  taskId: string,
  { lockRows }: EngineTraits,
): Promise<Charge | undefined> {
  const { rows: holds } = await sql<Omit<Charge, 'charged' | 'refunded' | 'counted'>>`
    select id as "holdId", organization_id as "organizationId", user_id as "userId", day from holds
    where task_id = ${taskId} and kind = 'task' and state = 'settled' ${lockRows}`.execute(db)
  const hold = holds[0]
  if (hold === undefined) return undefined
  const { rows: sums } = await sql<{ kind: 'settlement' | 'refund'; amount: number }>`
    select kind, cast(sum(amount_micros) as bigint) as amount from ledger_entries
    where hold_id = ${hold.holdId} and kind in ('settlement', 'refund') group by kind`.execute(db)
  const { rows: settlements } = await sql<CountedUnder>`
    select user_id as "userId", api_key_id as "keyId", model, outcome from ledger_entries
    where hold_id = ${hold.holdId} and kind = 'settlement'`.execute(db)
  const counted = settlements[0] ?? { userId: null, keyId: null, model: null, outcome: null }
  const sumOf = (kind: string) => sums.find((sum) => sum.kind === kind)?.amount ?? 0
  return { ...hold, charged: 0 - sumOf('settlement'), refunded: sumOf('refund'), counted }
}

async function findEntry(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_micros', 'hold_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** An operator who lost the answer gives the same entry again: it counts once. */
function repeated(
  entry: NonNullable<Awaited<ReturnType<typeof findEntry>>>,
  { refund, charge }: { refund: NewRefund; charge: Charge },
): RefundOutcome {
  const amount = entry.amount_micros
  const isSame =
    entry.kind === 'refund' && entry.hold_id === charge.holdId && (refund.amountMicros ?? amount) === amount
  if (isSame) return outcome(charge, { amount, isRepeat: true })
  throw new ApiError('invalid_parameter', {
    message: `The entry ${refund.entryId} exists already, for something else. Nothing was given back.`,
  })
}

function outcome(
  { organizationId, refunded }: Charge,
  { amount, isRepeat }: { amount: number; isRepeat: boolean },
): RefundOutcome {
  return {
    kind: 'refunded',
    organizationId,
    amountMicros: micros(amount),
    refundedMicros: micros(refunded),
    isRepeat,
  }
}

/** Walks the index `ledger_entries_refunds_by_time`, which has no other entries. */
export async function listRefundMoves(
  db: Kysely<Tables>,
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<RefundMove[]> {
  const { rows } = await sql<RefundMove>`
    select ledger_entries.id as "entryId", coalesce(holds.user_id, ledger_entries.user_id) as "userId",
      coalesce(holds.day, usage_day) as day,
      -ledger_entries.amount_micros as "deltaMicros", day_version as version
    from ledger_entries left join holds on holds.id = ledger_entries.hold_id
    where ledger_entries.kind = 'refund' and ledger_entries.created_at_ms >= ${sinceMs} and day_version is not null
    order by ledger_entries.created_at_ms, ledger_entries.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row }))
}
