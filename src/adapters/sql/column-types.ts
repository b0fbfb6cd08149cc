/** Column types that the engines name differently. */
export interface ColumnTypes {
  /** Text that is compared byte by byte, so that ids sort the same on every engine. */
  id: string
  text: string
  /** Whole numbers up to 2^53: times, money, counts. */
  integer: string
  /** Quantities with a fraction, stored as doubles. */
  decimal: string
  /** US dollars with six decimals. */
  usd: string
  boolean: string
  no: string
  /** Storage of a generated column that a migration adds to a table with rows. */
  computed: string
  /** End of a `create table` whose column types the engine enforces if it can. */
  strict: string
  /** Like `strict`, for a table that is stored in the order of its primary key if the engine can do that. */
  clustered: string
  /** Checks that `column` contains a number, on an engine that accepts any type. */
  isNumber(column: string): string
  /** Checks that `column` contains a boolean, on an engine that accepts any type. */
  isBoolean(column: string): string
  /** Checks that `column` has at most six decimals, apart from rounding errors of a binary fraction. */
  hasSixDecimals(column: string): string
}
