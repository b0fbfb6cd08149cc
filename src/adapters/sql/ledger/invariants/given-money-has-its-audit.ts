import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** Each credit and refund has an audit row of the same amount, because it is an action of an operator. */
export const givenMoneyHasItsAudit = violationsOf(
  ({ limit }) => sql<{ id: string; kind: string; amount: string; audited: string | null }>`
    select ledger_entries.id, kind, cast(ledger_entries.amount_micros as text) as amount,
      cast(audit_events.amount_micros as text) as audited
    from ledger_entries left join audit_events on audit_events.entry_id = ledger_entries.id
    where kind in ('credit', 'refund')
      and (audit_events.amount_micros is null or audit_events.amount_micros <> ledger_entries.amount_micros)
    order by ledger_entries.id limit ${limit}`,
  ({ kind, amount, audited }) =>
    audited === null
      ? `The ${kind} of ${amount} micros has no audit row.`
      : `The ${kind} is of ${amount} micros, its audit row of ${audited}.`,
)
