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
   * Locks rows in the order of `open-hold.ts`. The lock of the hold, or of the ledger entry of a text request, makes two
   * refunds of one charge wait for each other, so that their sum never exceeds the charge.
   */
  refund: write(async (db, refund, audit, traits) => {
    const ofTask = refund.taskId.startsWith('use_') ? undefined : await lockTask(db, refund.taskId, traits)
    const charge = ofTask ?? (await lockUsage(db, refund.taskId, traits))
    if (charge === undefined) return { kind: 'nothing-left' }
    const earlier = await findEarlierRefund(db, refund, charge)
    if (earlier !== undefined) return earlier
    const { organizationId, day, left, holdId, usageId, counted } = charge
    const amount = refund.amountMicros ?? left
    if (left <= 0) return { kind: 'nothing-left' }
    if (amount > left) return { kind: 'too-much', leftMicros: micros(left) }
    const { version } = await moveDay(db, { userId: charge.userId, day, delta: -amount })
    await sql`
      insert into ledger_entries
        (id, organization_id, kind, amount_micros, hold_id, note, created_at_ms, day_version, user_id, api_key_id, model,
         outcome, usage_id, usage_day)
      values (${refund.entryId}, ${organizationId}, 'refund', ${amount}, ${holdId}, ${refund.note}, ${refund.atMs},
        ${version}, ${counted.userId}, ${counted.keyId}, ${counted.model}, ${counted.outcome}, ${usageId},
        ${usageId === null ? null : day})`.execute(db)
    await countRefund(db, { organizationId, counted, amount, atMs: refund.atMs })
    return giveBack(db, { refund, audit, charge, amount })
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

/** Charge that is locked for a refund: a settled hold, or the usage row of a text request. */
interface RefundableCharge {
  holdId: string | null
  usageId: string | null
  /** Task of a hold. */
  taskId: string | null
  organizationId: string
  userId: string
  day: string
  counted: CountedUnder
  refunded: number
  left: number
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

async function lockTask(db: Db, taskId: string, traits: EngineTraits): Promise<RefundableCharge | undefined> {
  const { rows: holds } = await sql<
    Pick<RefundableCharge, 'taskId' | 'organizationId' | 'userId' | 'day'> & { holdId: string }
  >`
    select id as "holdId", task_id as "taskId", organization_id as "organizationId", user_id as "userId", day
    from holds
    where task_id = ${taskIdOf(taskId)} and kind = 'task' and state = 'settled' ${traits.lockRows}`.execute(
    db,
  )
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
  const refunded = sumOf('refund')
  return { ...hold, usageId: null, counted, refunded, left: -sumOf('settlement') - refunded }
}

/** Locks the ledger entry of a usage row. Refunds of all rows of an entry are at most what the balance paid for it. */
async function lockUsage(db: Db, id: string, traits: EngineTraits): Promise<RefundableCharge | undefined> {
  const { rows } = await sql<UsageRow & { entryId: string }>`
    select id, organization_id as "organizationId", user_id as "userId", api_key_id as "keyId", model, outcome, day,
      cost_micros as "costMicros", entry_id as "entryId" from text_usage
    where request_id = ${id} or id = ${id} order by id limit 1`.execute(db)
  const row = rows[0]
  if (row === undefined) return undefined
  const { organizationId, userId, keyId, model, outcome, day } = row
  const { rows: entries } = await sql<{ paid: number }>`
    select -amount_micros as paid from ledger_entries where id = ${row.entryId} ${traits.lockRows}`.execute(
    db,
  )
  const { rows: sums } = await sql<{ own: number; together: number }>`
    select
      (select cast(coalesce(sum(amount_micros), 0) as bigint) from ledger_entries
        where usage_id = ${row.id} and kind = 'refund') as own,
      (select cast(coalesce(sum(ledger_entries.amount_micros), 0) as bigint) from ledger_entries
        join text_usage on text_usage.id = ledger_entries.usage_id
        where text_usage.entry_id = ${row.entryId} and ledger_entries.kind = 'refund') as together`.execute(
    db,
  )
  const { own: refunded = 0, together = 0 } = sums[0] ?? {}
  const left = Math.min(row.costMicros - refunded, (entries[0]?.paid ?? 0) - together)
  const counted = { userId, keyId, model, outcome }
  return { holdId: null, usageId: row.id, taskId: null, organizationId, userId, day, counted, refunded, left }
}

/** Finds the refund that an operator repeats with the same entry id; undefined for a new entry. */
async function findEarlierRefund(
  db: Db,
  refund: NewRefund,
  charge: RefundableCharge,
): Promise<RefundOutcome | undefined> {
  const entry = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_micros', 'hold_id', 'usage_id'])
    .where('id', '=', refund.entryId)
    .executeTakeFirst()
  if (entry === undefined) return undefined
  const amount = entry.amount_micros
  const isOfCharge = entry.hold_id === charge.holdId && entry.usage_id === charge.usageId
  if (entry.kind === 'refund' && isOfCharge && (refund.amountMicros ?? amount) === amount)
    return refunded(charge, { amount, total: charge.refunded, isRepeat: true })
  throw new ApiError('invalid_parameter', {
    message: `The entry ${refund.entryId} exists already, for something else. Nothing was given back.`,
  })
}

/** Writes the rest of a refund after its entry: months of both budgets, balance and audit row. */
async function giveBack(
  db: Db,
  input: { refund: NewRefund; audit: NewAudit; charge: RefundableCharge; amount: number },
): Promise<RefundOutcome> {
  const { refund, audit, charge, amount } = input
  const { organizationId, day } = charge
  const { keyId } = charge.counted
  if (keyId !== null) await lowerForKey(db, { keyId, month: monthOf(day), amount })
  await sql`
    update organizations set balance_micros = balance_micros + ${amount},
      budget_used_micros = case when budget_month = ${monthOf(day)} then budget_used_micros - ${amount}
        else budget_used_micros end
    where id = ${organizationId}`.execute(db)
  // The operator may have named the task by its request, but the audit log is searched by task id.
  const found = { ...audit, subject: charge.taskId ?? audit.subject, organizationId }
  const detail = { ...audit.detail, amount_micros: amount }
  await insertAudit(db, { ...found, detail, entryId: refund.entryId, amountMicros: amount })
  return refunded(charge, { amount, total: charge.refunded + amount, isRepeat: false })
}

function refunded(
  { organizationId }: RefundableCharge,
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
