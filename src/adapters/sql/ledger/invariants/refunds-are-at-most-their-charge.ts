import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

const refundsAboveTheirCharge = violationsOf(
  ({ limit }) => sql<{ id: string; task_id: string; refunded: string; charged: string }>`
    select holds.id, holds.task_id, cast(refunds.amount_micros as text) as refunded,
      cast(-charges.amount_micros as text) as charged
    from (
      select hold_id, sum(amount_micros) as amount_micros from ledger_entries where kind = 'refund' group by hold_id
    ) as refunds
    join ledger_entries as charges on charges.hold_id = refunds.hold_id and charges.kind = 'settlement'
    join holds on holds.id = refunds.hold_id
    where refunds.amount_micros > -charges.amount_micros
    order by holds.id limit ${limit}`,
  ({ task_id, refunded, charged }) =>
    `The refunds of the task ${task_id} are ${refunded} micros, its charge was ${charged}.`,
)

/** Leaves out refunds whose usage row was dropped. */
const refundsAboveTheirUsage = violationsOf(
  ({ limit }) => sql<{ id: string; refunded: string; cost: string }>`
    select text_usage.id, cast(sum(amount_micros) as text) as refunded, cast(cost_micros as text) as cost
    from ledger_entries join text_usage on text_usage.id = usage_id
    where kind = 'refund' group by text_usage.id, cost_micros having sum(amount_micros) > cost_micros
    order by text_usage.id limit ${limit}`,
  ({ refunded, cost }) => `The refunds of the request are ${refunded} micros, it cost ${cost}.`,
)

/** Refunds are at most what the balance paid. For an entry with a loss, that is less than its rows cost. */
const refundsAboveTheirEntry = violationsOf(
  ({ limit }) => sql<{ id: string; refunded: string; paid: string }>`
    select charges.id, cast(sum(refunds.amount_micros) as text) as refunded,
      cast(-charges.amount_micros as text) as paid
    from ledger_entries as refunds
    join text_usage on text_usage.id = refunds.usage_id
    join ledger_entries as charges on charges.id = text_usage.entry_id
    where refunds.kind = 'refund' group by charges.id, charges.amount_micros
    having sum(refunds.amount_micros) > -charges.amount_micros
    order by charges.id limit ${limit}`,
  ({ refunded, paid }) => `The refunds of its usage rows are ${refunded} micros, the balance paid ${paid}.`,
)

const refundsThatTake = violationsOf(
  ({ limit }) => sql<{ id: string; amount_micros: string }>`
    select id, cast(amount_micros as text) as amount_micros from ledger_entries
    where kind = 'refund' and amount_micros < 0 order by id limit ${limit}`,
  ({ amount_micros }) => `The refund is of ${amount_micros} micros.`,
)

/** Refunds are at most their charge. `holdsKeepToTheirOrganization` finds those without a charge. */
export const refundsAreAtMostTheirCharge = [
  refundsAboveTheirCharge,
  refundsAboveTheirUsage,
  refundsAboveTheirEntry,
  refundsThatTake,
]
