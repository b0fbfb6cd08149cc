import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** Condition that leaves out entries whose rows may have been dropped. */
const KEPT = sql`ledger_entries.created_at_ms >= (select coalesce(max(rows_from_ms), 0) from usage_retention)`

const rowsWithoutEntry = violationsOf(
  ({ limit }) => sql<{ id: string; entry_id: string }>`
    select id, entry_id from text_usage
    where not exists (
      select 1 from ledger_entries
      where ledger_entries.id = text_usage.entry_id and ledger_entries.kind = 'usage'
        and ledger_entries.organization_id = text_usage.organization_id
    )
    order by id limit ${limit}`,
  ({ entry_id }) => `The usage row names the ledger entry ${entry_id}, which is not there.`,
)

const entriesAgainstTheirRows = violationsOf(
  ({ limit }) => sql<{ id: string; entered_micros: string; cost_micros: string }>`
    select ledger_entries.id, cast(loss_micros - amount_micros as text) as entered_micros,
      cast(coalesce(usage_rows.cost_micros, 0) as text) as cost_micros
    from ledger_entries
    left join (
      select entry_id, sum(cost_micros) as cost_micros from text_usage group by entry_id
    ) as usage_rows on usage_rows.entry_id = ledger_entries.id
    where kind = 'usage' and ${KEPT} and loss_micros - amount_micros <> coalesce(usage_rows.cost_micros, 0)
    order by ledger_entries.id limit ${limit}`,
  ({ entered_micros, cost_micros }) =>
    `The entry stands for ${entered_micros} micros, its usage rows cost ${cost_micros}.`,
)

/** Usage rows name their entry, and the rows of an entry cost its amount plus its loss. */
export const usageHasItsEntry = [rowsWithoutEntry, entriesAgainstTheirRows]
