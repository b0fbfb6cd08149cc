import { sql } from 'kysely'
import { ApiError } from '../../../domain/api-error.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { LedgerStore, NewRefund, RefundMove, RefundOutcome } from '../../../ports/ledger.ts'
import type { UsageRow } from '../../../ports/usage.ts'
import { insertAudit } from '../audit/audits.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { taskIdOf } from '../tasks/task-id-of.ts'
import { lowerForKey } from '../tenants/key-budgets.ts'
import { addToRollups } from '../usage/rollups.ts'
import type { CountedUnder } from './insert-entries.ts'
import { moveDay } from './user-days.ts'

export const REFUND_TASK = {
  /**
   * Locks rows in the order of `open-hold.ts`. The lock of the hold makes two refunds of one charge wait for
   * each other, so that their sum never exceeds the charge.
   */
  refund: write(async (db, refund, audit, traits) => {
    const charge = refund.taskId.startsWith('use_') ? undefined : await lockCharge(db, refund.taskId, traits)
    if (charge === undefined) return refundUsage(db, { refund, audit }, traits)
    const earlier = await findEarlierRefund(db, { refund, charge, of: { holdId: charge.holdId } })
    if (earlier !== undefined) return earlier
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
    // The operator may have named the task by its request, but the audit log is searched by task id.
    return giveBack(db, { refund, audit: { ...audit, subject: charge.taskId }, charge, amount })
  }),

  /** Uses the index `ledger_entries_refunds_by_time` of refunds. */
  listRefundMoves: read(async (db, { sinceMs, limit }) => {
    const { rows } = await sql<RefundMove>`
      select ledger_entries.id as "entryId", coalesce(holds.user_id, ledger_entries.user_id) as "userId",
        coalesce(holds.day, usage_day) as day,
        -ledger_entries.amount_micros as "deltaMicros", day_version as version
      from ledger_entries left join holds on holds.id = ledger_entries.hold_id
      where ledger_entries.kind = 'refund' and ledger_entries.created_at_ms >= ${sinceMs} and day_version is not null
      order by ledger_entries.created_at_ms, ledger_entries.id limit ${limit}`.execute(db)
    return rows.map((row) => ({ ...row }))
  }),
} satisfies Partial<StatementsOf<LedgerStore>>

interface TaskCharge {
  holdId: string
  taskId: string
  organizationId: string
  userId: string
  day: string
  keyId: string | null
  charged: number
  refunded: number
  counted: CountedUnder
}

/** Counts a refund in its own hour, under the keys of its charge. */
async function countRefund(
  db: Db,
  input: { organizationId: string; counted: CountedUnder; amount: number; atMs: number },
): Promise<void> {
  const { organizationId, counted, amount, atMs } = input
  const { userId, keyId, model, outcome } = counted
  // The charge is not counted yet; `count-late-usage.ts` will count both.
  if (userId === null || keyId === null || model === null || outcome === null) return
  const key = { organizationId, userId, keyId, model, outcome }
  await addToRollups(db, [{ ...key, requests: 0, costMicros: -amount, atMs }])
}

async function lockCharge(db: Db, taskId: string, input: EngineTraits): Promise<TaskCharge | undefined> {
  const { lockRows } = input
  const { rows: holds } = await sql<Omit<TaskCharge, 'charged' | 'refunded' | 'counted' | 'keyId'>>`
    select id as "holdId", task_id as "taskId", organization_id as "organizationId", user_id as "userId", day
    from holds
    where task_id = ${taskIdOf(taskId)} and kind = 'task' and state = 'settled' ${lockRows}`.execute(db)
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
  return {
    ...hold,
    keyId: counted.keyId,
    charged: 0 - sumOf('settlement'),
    refunded: sumOf('refund'),
    counted,
  }
}

/**
 * Refunds the charge of a text request. The lock of its usage row makes two refunds wait for each other.
 * Days and organizations are locked afterwards, in the order of `open-hold.ts`.
 */
async function refundUsage(
  db: Db,
  { refund, audit }: { refund: NewRefund; audit: NewAudit },
  traits: EngineTraits,
): Promise<RefundOutcome> {
  const charge = await lockUsage(db, refund.taskId, traits)
  if (charge === undefined) return { kind: 'nothing-left' }
  const earlier = await findEarlierRefund(db, { refund, charge, of: { usageId: charge.id } })
  if (earlier !== undefined) return earlier
  const amount = refund.amountMicros ?? charge.left
  if (charge.left <= 0) return { kind: 'nothing-left' }
  if (amount > charge.left) return { kind: 'too-much', leftMicros: micros(charge.left) }
  const { id, organizationId, userId, keyId, model, outcome, day } = charge
  const { version } = await moveDay(db, { userId, day, delta: -amount })
  await sql`
    insert into ledger_entries
      (id, organization_id, kind, amount_micros, note, created_at_ms, day_version, user_id, api_key_id, model, outcome,
       usage_id, usage_day)
    values (${refund.entryId}, ${organizationId}, 'refund', ${amount}, ${refund.note}, ${refund.atMs}, ${version},
      ${userId}, ${keyId}, ${model}, ${outcome}, ${id}, ${day})`.execute(db)
  const key = { organizationId, userId, keyId, model, outcome }
  await addToRollups(db, [{ ...key, requests: 0, costMicros: -amount, atMs: refund.atMs }])
  return giveBack(db, { refund, audit, charge, amount })
}

interface RefundableUsage
  extends Pick<UsageRow, 'id' | 'organizationId' | 'userId' | 'keyId' | 'model' | 'outcome' | 'day'> {
  refunded: number
  left: number
}

/** Locks the usage row. Refunds of all rows with one entry are at most what the balance paid for the entry. */
async function lockUsage(db: Db, id: string, input: EngineTraits): Promise<RefundableUsage | undefined> {
  const { lockRows } = input
  const { rows } = await sql<Omit<RefundableUsage, 'refunded' | 'left'> & { cost: number; entryId: string }>`
    select id, organization_id as "organizationId", user_id as "userId", api_key_id as "keyId", model, outcome, day,
      cost_micros as cost, entry_id as "entryId" from text_usage
    where request_id = ${id} or id = ${id} order by id limit 1 ${lockRows}`.execute(db)
  const row = rows[0]
  if (row === undefined) return undefined
  const { cost, entryId, ...charge } = row
  const { rows: sums } = await sql<{ own: number; together: number; paid: number }>`
    select
      (select cast(coalesce(sum(amount_micros), 0) as bigint) from ledger_entries
        where usage_id = ${row.id} and kind = 'refund') as own,
      (select cast(coalesce(sum(ledger_entries.amount_micros), 0) as bigint) from ledger_entries
        join text_usage on text_usage.id = ledger_entries.usage_id
        where text_usage.entry_id = ${entryId} and ledger_entries.kind = 'refund') as together,
      (select -amount_micros from ledger_entries where id = ${entryId}) as paid`.execute(db)
  const { own = 0, together = 0, paid = 0 } = sums[0] ?? {}
  return {
    ...charge,
    refunded: Number(own),
    left: Math.min(cost - Number(own), Number(paid) - Number(together)),
  }
}

/** Refundable charge: a settled hold, or the usage row of a text request. */
interface Refundable {
  organizationId: string
  /** Null: the charge is older than this column. */
  keyId: string | null
  day: string
  refunded: number
}

/** Finds the refund that an operator repeats with the same entry id; undefined for a new entry. */
async function findEarlierRefund(
  db: Db,
  input: { refund: NewRefund; charge: Refundable; of: { holdId: string } | { usageId: string } },
): Promise<RefundOutcome | undefined> {
  const { refund, charge, of } = input
  const entry = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_micros', 'hold_id', 'usage_id'])
    .where('id', '=', refund.entryId)
    .executeTakeFirst()
  if (entry === undefined) return undefined
  const amount = entry.amount_micros
  const isOfCharge = 'holdId' in of ? entry.hold_id === of.holdId : entry.usage_id === of.usageId
  if (entry.kind === 'refund' && isOfCharge && (refund.amountMicros ?? amount) === amount)
    return refunded(charge, { amount, total: charge.refunded, isRepeat: true })
  throw new ApiError('invalid_parameter', {
    message: `The entry ${refund.entryId} exists already, for something else. Nothing was given back.`,
  })
}

/** Writes the rest of a refund after its entry: months of both budgets, balance and audit row. */
async function giveBack(
  db: Db,
  input: { refund: NewRefund; audit: NewAudit; charge: Refundable; amount: number },
): Promise<RefundOutcome> {
  const { refund, audit, charge, amount } = input
  const { organizationId, keyId, day } = charge
  if (keyId !== null) await lowerForKey(db, { keyId, month: monthOf(day), amount })
  await sql`
    update organizations set balance_micros = balance_micros + ${amount},
      budget_used_micros = case when budget_month = ${monthOf(day)} then budget_used_micros - ${amount}
        else budget_used_micros end
    where id = ${organizationId}`.execute(db)
  const detail = { ...audit.detail, amount_micros: amount }
  await insertAudit(db, { ...audit, organizationId, detail, entryId: refund.entryId, amountMicros: amount })
  return refunded(charge, { amount, total: charge.refunded + amount, isRepeat: false })
}

function refunded(
  { organizationId }: Refundable,
  { amount, total, isRepeat }: { amount: number; total: number; isRepeat: boolean },
): RefundOutcome {
  return {
    kind: 'refunded',
    organizationId,
    amountMicros: micros(amount),
    refundedMicros: micros(total),
    isRepeat,
  }
}
