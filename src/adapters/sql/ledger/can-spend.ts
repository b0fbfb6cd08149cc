import { type RawBuilder, sql } from 'kysely'

/** A condition on a row of `organizations`: postpaid pays later, prepaid has what neither was spent nor is held. */
export function canSpend(amount: number): RawBuilder<boolean> {
  return sql`(billing = 'postpaid' or balance_micros - held_micros >= ${amount})`
}
