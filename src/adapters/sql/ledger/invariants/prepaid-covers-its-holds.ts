import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

/** A prepaid balance covers its holds. A restored table may lack the constraint that ensures it. */
export const prepaidCoversItsHolds = violationsOf(
  ({ limit }) => sql<{ id: string; balance_micros: string; held_micros: string }>`
    select id, cast(balance_micros as text) as balance_micros, cast(held_micros as text) as held_micros
    from organizations where billing = 'prepaid' and organizations.balance_micros < organizations.held_micros
    order by id limit ${limit}`,
  ({ balance_micros, held_micros }) =>
    `A prepaid balance of ${balance_micros} micros is less than the ${held_micros} that are held.`,
)
