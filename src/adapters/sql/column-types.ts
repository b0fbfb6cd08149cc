import type { ColumnDataType, Expression } from 'kysely'

type DataType = ColumnDataType | Expression<unknown>

/** What the engines call the same thing. Each engine has one file that says so. */
export interface ColumnTypes {
  /** Text that is compared byte by byte, so that ids sort the same on every engine. */
  id: DataType
  text: DataType
  /** Whole numbers up to 2^53: moments, money, counts. */
  integer: DataType
  /** A quantity that may have a fraction: the very number that a program had. */
  decimal: DataType
  /** US dollars with six decimals. */
  usd: DataType
  boolean: DataType
  no: Expression<unknown>
  /** How a column that is computed from others is kept, where the table has rows already. */
  computed: Expression<unknown>
  /** Closes a table whose columns all have types the engine can insist on. */
  strict: Expression<unknown>
  /** Holds when `column` really carries a number, on an engine that would take anything. */
  isNumber(column: string): Expression<unknown>
  /** Holds when `column` really carries a boolean, likewise. */
  isBoolean(column: string): Expression<unknown>
  /** Holds when `column` has no decimals beyond the sixth, but for the noise of a binary fraction. */
  hasSixDecimals(column: string): Expression<unknown>
}
