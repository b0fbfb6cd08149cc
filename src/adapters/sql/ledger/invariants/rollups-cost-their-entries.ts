import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/**
 * The cost of an organization's rollups of a day equals the amounts and losses of its entries of that day.
 * Entries and days are kept without limit, so this also covers days whose usage rows were dropped.
 */
export const rollupsCostTheirEntries = violationsOf(
  ({ limit }) => sql<{ id: string; day_ms: string; cost: string; entered: string }>`
    select organization_id as id, cast(day_ms as text) as day_ms, cast(sum(cost) as text) as cost,
      cast(sum(entered) as text) as entered
    from (
      select organization_id, starts_at_ms as day_ms, cost_micros as cost, 0 as entered from usage_rollup_day
      union all
      select organization_id, created_at_ms - created_at_ms % 86400000, 0, loss_micros - amount_micros
      from ledger_entries
      where (kind in ('settlement', 'refund') and model is not null)
        or (kind = 'usage' and not exists (
          select 1 from text_usage where text_usage.entry_id = ledger_entries.id and charged_at_ms is null))
    ) as parts
    group by organization_id, day_ms having sum(cost) <> sum(entered)
    order by organization_id, day_ms limit ${limit}`,
  ({ cost, entered }) => `The rollups of the day cost ${cost} micros, its entries stand for ${entered}.`,
  ({ id, day_ms }) => `${id} ${new Date(Number(day_ms)).toISOString().slice(0, 10)}`,
)
