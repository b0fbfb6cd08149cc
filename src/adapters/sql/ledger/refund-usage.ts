import { type Kysely, sql } from 'kysely'
import { ApiError } from '../../../domain/api-error.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewRefund, RefundOutcome } from '../../../ports/ledger.ts'
import { insertAudit } from '../audits.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { addToRollups } from '../usage/rollups.ts'
import type { TextUsageTable } from '../usage-tables.ts'
import { moveDay } from '../user-days.ts'

/**
 * Gives the charge of a text request back. The lock of its usage row makes two refunds wait for each other; days and
 * organizations follow in the order that `open-hold.ts` explains.
 */
export async function refundUsage(
  db: Kysely<Tables>,
  { refund, audit }: { refund: NewRefund; audit: NewAudit },
  traits: EngineTraits,
): Promise<RefundOutcome> {
  const charge = await lockUsage(db, refund.taskId, traits)
  if (charge === undefined) return { kind: 'nothing-left' }
  const earlier = await findEntry(db, refund.entryId)
  if (earlier !== undefined) return repeated(earlier, { refund, charge })
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
  await sql`
    update organizations set balance_micros = balance_micros + ${amount},
      budget_used_micros = case when budget_month = ${monthOf(day)} then budget_used_micros - ${amount}
        else budget_used_micros end
    where id = ${organizationId}`.execute(db)
  const detail = { ...audit.detail, amount_micros: amount }
  await insertAudit(db, { ...audit, organizationId, detail, entryId: refund.entryId, amountMicros: amount })
  return refunded(charge, { amount, total: charge.refunded + amount, isRepeat: false })
}

interface UsageCharge {
  id: string
  organizationId: string
  userId: string
  keyId: string
  model: string
  outcome: TextUsageTable['outcome']
  day: string
  refunded: number
  left: number
}

/** Rows that were charged together may have lost a part of their cost: no more comes back than was paid for all of them. */
async function lockUsage(
  db: Kysely<Tables>,
  id: string,
  { lockRows }: EngineTraits,
): Promise<UsageCharge | undefined> {
  const { rows } = await sql<Omit<UsageCharge, 'refunded' | 'left'> & { cost: number; entryId: string }>`
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

async function findEntry(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_micros', 'usage_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** An operator who lost the answer gives the same entry again: it counts once. */
function repeated(
  entry: NonNullable<Awaited<ReturnType<typeof findEntry>>>,
  { refund, charge }: { refund: NewRefund; charge: UsageCharge },
): RefundOutcome {
  const amount = entry.amount_micros
  const isSame =
    entry.kind === 'refund' && entry.usage_id === charge.id && (refund.amountMicros ?? amount) === amount
  if (isSame) return refunded(charge, { amount, total: charge.refunded, isRepeat: true })
  throw new ApiError('invalid_parameter', {
    message: `The entry ${refund.entryId} exists already, for something else. Nothing was given back.`,
  })
}

function refunded(
  { organizationId }: UsageCharge,
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
