import { type Kysely, sql } from 'kysely'
import { type Micros, micros } from '../../../domain/billing/micros.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewRefund } from '../../../ports/ledger.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'
import { insertNewEntry } from './insert-entries.ts'

/** The unique index on refunds decides who of several is first. */
export async function refundTask(
  db: Kysely<Tables>,
  { refund, audit }: { refund: NewRefund; audit: NewAudit },
): Promise<{ amountMicros: Micros; organizationId: string } | undefined> {
  const charge = await findCharge(db, refund.taskId)
  if (charge === undefined || charge.amount === 0) return undefined
  const { amount, organizationId, holdId } = charge
  const { entryId: id, note, atMs } = refund
  const entry = { id, organizationId, amount, loss: 0, holdId, note, atMs }
  if (!(await insertNewEntry(db, { ...entry, kind: 'refund' }))) return undefined
  await sql`
    update organizations set balance_micros = balance_micros + ${amount} where id = ${organizationId}`.execute(
    db,
  )
  await insertAudit(db, { ...audit, organizationId, detail: { ...audit.detail, amount_micros: amount } })
  return { amountMicros: micros(amount), organizationId }
}

async function findCharge(db: Kysely<Tables>, taskId: string) {
  const row = await db
    .selectFrom('holds')
    .innerJoin('ledger_entries', 'ledger_entries.hold_id', 'holds.id')
    .select(['holds.id', 'holds.organization_id', 'ledger_entries.amount_micros'])
    .where('holds.task_id', '=', taskId)
    .where('ledger_entries.kind', '=', 'settlement')
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { holdId: row.id, organizationId: row.organization_id, amount: 0 - row.amount_micros }
}
