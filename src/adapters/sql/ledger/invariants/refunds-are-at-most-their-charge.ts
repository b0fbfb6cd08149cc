import { sql } from 'kysely'
import type { Db } from '../../tables.ts'
import type { Invariant } from './invariant.ts'

/** Refunds are at most their charge. `holdsKeepToTheirOrganization` finds those without a charge. */
export const refundsAreAtMostTheirCharge: Invariant = async (db, { limit }) => {
  const violations = [
    ...(await refundsAboveTheirCharge(db, limit)),
    ...(await refundsAboveTheirUsage(db, limit)),
    ...(await refundsThatTake(db, limit)),
  ]
  return violations.slice(0, limit)
}

async function refundsAboveTheirCharge(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; task_id: string; refunded: string; charged: string }>`
    select holds.id, holds.task_id, cast(refunds.amount_micros as text) as refunded,
      cast(-charges.amount_micros as text) as charged
    from (
      select hold_id, sum(amount_micros) as amount_micros from ledger_entries where kind = 'refund' group by hold_id
    ) as refunds
    join ledger_entries as charges on charges.hold_id = refunds.hold_id and charges.kind = 'settlement'
    join holds on holds.id = refunds.hold_id
    where refunds.amount_micros > -charges.amount_micros
    order by holds.id limit ${limit}`.execute(db)
  return rows.map(({ id, task_id, refunded, charged }) => ({
    subject: id,
    message: `The refunds of the task ${task_id} are ${refunded} micros, its charge was ${charged}.`,
  }))
}

/** Leaves out refunds whose usage row was dropped. */
async function refundsAboveTheirUsage(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; refunded: string; cost: string }>`
    select text_usage.id, cast(refunds.amount_micros as text) as refunded, cast(cost_micros as text) as cost
    from (
      select usage_id, sum(amount_micros) as amount_micros from ledger_entries
      where kind = 'refund' and usage_id is not null group by usage_id
    ) as refunds
    join text_usage on text_usage.id = refunds.usage_id
    where refunds.amount_micros > cost_micros
    order by text_usage.id limit ${limit}`.execute(db)
  return rows.map(({ id, refunded, cost }) => ({
    subject: id,
    message: `The refunds of the request are ${refunded} micros, it cost ${cost}.`,
  }))
}

async function refundsThatTake(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; amount_micros: string }>`
    select id, cast(amount_micros as text) as amount_micros from ledger_entries
    where kind = 'refund' and amount_micros < 0 order by id limit ${limit}`.execute(db)
  return rows.map(({ id, amount_micros }) => ({
    subject: id,
    message: `The refund is of ${amount_micros} micros.`,
  }))
}
