import { type RawBuilder, sql } from 'kysely'

/** Without a month: that of the last charge. A charge of a later month began the count anew. */
export function usedIn(month: string | undefined): RawBuilder<number> {
  if (month === undefined) return sql`budget_used_micros`
  return sql`(case when budget_month >= ${month} then budget_used_micros else 0 end)`
}

/** The latest month of several charges, and what those of it cost. */
export interface MonthCost {
  month: string
  cost: number
}

/** Assignments for an update of `organizations` or `api_keys` that charges; what belongs to an older month counts no more. */
export function countInMonth(cost: RawBuilder<number>, month: RawBuilder<string>): RawBuilder<unknown> {
  return sql`
    budget_used_micros = case when budget_month = ${month} then budget_used_micros + ${cost}
      when budget_month is null or budget_month < ${month} then ${cost} else budget_used_micros end,
    budget_month = case when budget_month is null or budget_month < ${month} then ${month} else budget_month end`
}
