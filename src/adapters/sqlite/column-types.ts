import { sql } from 'kysely'
import type { ColumnTypes } from '../sql/column-types.ts'

export const SQLITE_COLUMNS: ColumnTypes = {
  id: 'text',
  text: 'text',
  integer: 'integer',
  decimal: 'real',
  usd: sql`numeric`,
  boolean: 'integer',
  no: sql`0`,
  strict: sql`strict`,
  isNumber: (column) => sql`typeof(${sql.ref(column)}) in ('integer', 'real', 'null')`,
  isBoolean: (column) => sql`${sql.ref(column)} in (0, 1)`,
  // Noise of a sum or a product is far below a billionth; a tiny price is no noise, and must not be read as zero.
  hasSixDecimals: (column) => {
    const value = sql.ref(column)
    return sql`abs(round(${value}, 6) - ${value}) < 1e-9 and (${value} = 0 or abs(${value}) > 5e-7)`
  },
}
