import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** `held_micros` is the sum of the open holds, and 0 without open holds. */
export const heldIsTheSumOfOpenHolds = violationsOf(
  ({ limit }) => sql<{ id: string; held_micros: string; total_micros: string }>`
    select organizations.id, cast(held_micros as text) as held_micros,
      cast(coalesce(total_micros, 0) as text) as total_micros
    from organizations
    left join (
      select organization_id, sum(amount_micros) as total_micros
      from holds where state = 'open' group by organization_id
    ) as open_holds on open_holds.organization_id = organizations.id
    where held_micros <> coalesce(total_micros, 0)
    order by organizations.id limit ${limit}`,
  ({ held_micros, total_micros }) =>
    `Held are ${held_micros} micros, its open holds add up to ${total_micros}.`,
)
