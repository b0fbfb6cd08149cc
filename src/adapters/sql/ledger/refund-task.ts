import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { LedgerStore, RefundMove } from '../../../ports/ledger.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { taskIdOf } from '../tasks/task-id-of.ts'
import { addToRollups } from '../usage/rollups.ts'
import { findEarlierRefund, giveBack } from './finish-refund.ts'
import type { CountedUnder } from './insert-entries.ts'
import { refundUsage } from './refund-usage.ts'
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
  {
    organizationId,
    counted,
    amount,
    atMs,
  }: { organizationId: string; counted: CountedUnder; amount: number; atMs: number },
): Promise<void> {
  const { userId, keyId, model, outcome } = counted
  // The charge is not counted yet; `count-late-usage.ts` will count both.
  if (userId === null || keyId === null || model === null || outcome === null) return
  const key = { organizationId, userId, keyId, model, outcome }
  await addToRollups(db, [{ ...key, requests: 0, costMicros: -amount, atMs }])
}

async function lockCharge(
  db: Db,
  taskId: string,
  { lockRows }: EngineTraits,
): Promise<TaskCharge | undefined> {
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
