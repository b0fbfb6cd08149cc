import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Columns for a `select` or a `returning`, under the names that the program has for them. */
export function columnsAs<
  Table extends keyof Tables,
  const Names extends Readonly<Record<string, keyof Selectable<Tables[Table]> & string>>,
>(
  table: Table,
  names: Names,
): RawBuilder<{ -readonly [Name in keyof Names]: Selectable<Tables[Table]>[Names[Name]] }> {
  return sql.join(
    Object.entries(names).map(([name, column]) => sql`${sql.ref(`${table}.${column}`)} as ${sql.ref(name)}`),
  )
}

export type NamedRow<Columns> = Columns extends RawBuilder<infer Row> ? Row : never
