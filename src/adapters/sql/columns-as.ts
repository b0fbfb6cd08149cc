import { type RawBuilder, type Selectable, sql } from 'kysely'
import { columnOf } from './columns-of.ts'
import type { Tables } from './tables.ts'

/** Columns for `select` or `returning`, named like the fields in snake case; `renamed` maps the other fields. */
export function columnsAs<
  Table extends keyof Tables,
  const Field extends CamelField<Column<Table>>,
  const Renamed extends Readonly<Record<string, Column<Table>>> = Record<never, never>,
>(
  table: Table,
  fields: readonly Field[],
  renamed?: Renamed,
): RawBuilder<
  {
    [Name in Column<Table> as Extract<CamelField<Name>, Field>]: Selectable<Tables[Table]>[Name]
  } & { -readonly [Name in keyof Renamed]: Selectable<Tables[Table]>[Renamed[Name]] }
> {
  const columns = [...fields.map((field) => [field, columnOf(field)]), ...Object.entries(renamed ?? {})]
  return sql.raw(columns.map(([field, column]) => `"${table}"."${column}" as "${field}"`).join(', '))
}

type Column<Table extends keyof Tables> = keyof Selectable<Tables[Table]> & string

type CamelField<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelField<Rest>>}`
  : Name

export type NamedRow<Columns> = Columns extends RawBuilder<infer Row> ? Row : never
