import { sql } from 'kysely'
import type { ColumnTypes } from '../sql/column-types.ts'

export const POSTGRES_COLUMNS: ColumnTypes = {
  id: sql`text collate "C"`,
  text: 'text',
  integer: 'bigint',
  decimal: 'double precision',
  usd: 'numeric(20, 6)',
  boolean: 'boolean',
  no: sql`false`,
  strict: sql``,
  isNumber: () => sql`true`,
  isBoolean: () => sql`true`,
  hasSixDecimals: (column) => sql`round(${sql.ref(column)}, 6) = ${sql.ref(column)}`,
}
