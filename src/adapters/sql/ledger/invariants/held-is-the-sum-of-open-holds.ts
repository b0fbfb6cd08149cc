import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** For an organization without open holds, `held_micros` is 0. */
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
