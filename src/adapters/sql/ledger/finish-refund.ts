import { sql } from 'kysely'
import { ApiError } from '../../../domain/api-error.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { monthOf } from '../../../domain/limits/calendar-day.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import type { NewRefund, RefundOutcome } from '../../../ports/ledger.ts'
import { insertAudit } from '../audit/audits.ts'
import type { Db } from '../tables.ts'
import { lowerForKey } from '../tenants/key-budgets.ts'

/** Refundable charge: a settled hold, or the usage row of a text request. */
interface Refundable {
  organizationId: string
  /** Null: the charge is older than this column. */
  keyId: string | null
  day: string
  refunded: number
}

/** Finds the refund that an operator repeats with the same entry id; undefined for a new entry. */
export async function findEarlierRefund(
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
export async function giveBack(
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
