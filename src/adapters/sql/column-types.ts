import type { Expression } from 'kysely'

/** Column types that the engines name differently. */
export interface ColumnTypes {
  /** Text that is compared byte by byte, so that ids sort the same on every engine. */
  id: Expression<unknown>
  text: Expression<unknown>
  /** Whole numbers up to 2^53: times, money, counts. */
  integer: Expression<unknown>
  /** Quantities with a fraction, stored as doubles. */
  decimal: Expression<unknown>
  /** US dollars with six decimals. */
  usd: Expression<unknown>
  boolean: Expression<unknown>
  no: Expression<unknown>
  /** Storage of a generated column that a migration adds to a table with rows. */
  computed: Expression<unknown>
  /** End of a `create table` whose column types the engine enforces if it can. */
  strict: Expression<unknown>
  /** Like `strict`, for a table that is stored in the order of its primary key if the engine can do that. */
  clustered: Expression<unknown>
  /** Checks that `column` contains a number, on an engine that accepts any type. */
  isNumber(column: string): Expression<unknown>
  /** Checks that `column` contains a boolean, on an engine that accepts any type. */
  isBoolean(column: string): Expression<unknown>
  /** Checks that `column` has at most six decimals, apart from rounding errors of a binary fraction. */
  hasSixDecimals(column: string): Expression<unknown>
}
