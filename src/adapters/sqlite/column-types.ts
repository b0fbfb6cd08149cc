import { sql } from 'kysely'
import type { ColumnTypes } from '../sql/column-types.ts'

export const SQLITE_COLUMNS: ColumnTypes = {
  id: 'text',
  text: 'text',
  integer: 'integer',
  usd: sql`numeric`,
  boolean: 'integer',
  no: sql`0`,
  strict: sql`strict`,
  isNumber: (column) => sql`typeof(${sql.ref(column)}) in ('integer', 'real', 'null')`,
}
