import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** A balance is the sum of its entries. Figures are texts, because a wrong sum may exceed a number. */
export const balanceIsTheSumOfEntries = violationsOf(
  ({ limit }) => sql<{ id: string; balance_micros: string; total_micros: string }>`
    select organizations.id, cast(balance_micros as text) as balance_micros,
      cast(coalesce(total_micros, 0) as text) as total_micros
    from organizations
    left join (
      select organization_id, sum(amount_micros) as total_micros
      from ledger_entries group by organization_id
    ) as entries on entries.organization_id = organizations.id
    where balance_micros <> coalesce(total_micros, 0)
    order by organizations.id limit ${limit}`,
  ({ balance_micros, total_micros }) =>
    `The balance is ${balance_micros} micros, its ledger entries add up to ${total_micros}.`,
)
