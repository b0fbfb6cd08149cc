import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewRefund, RefundOutcome } from '../../../ports/ledger.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Db } from '../tables.ts'
import { addToRollups } from '../usage/rollups.ts'
import type { TextUsageTable } from '../usage-tables.ts'
import { findEarlierRefund, giveBack } from './finish-refund.ts'
import { moveDay } from './user-days.ts'

/**
 * Refunds the charge of a text request. The lock of its usage row makes two refunds wait for each other.
 * Days and organizations are locked afterwards, in the order of `open-hold.ts`.
 */
export async function refundUsage(
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

interface RefundableUsage {
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

/** Locks the usage row. Rows charged together may lack a part of their cost, which bounds refunds. */
async function lockUsage(
  db: Db,
  id: string,
  { lockRows }: EngineTraits,
): Promise<RefundableUsage | undefined> {
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
