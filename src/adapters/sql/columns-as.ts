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

/** Columns that are named like the fields of a type, in snake case. */
export type ColumnsOf<Fields> = {
  [Field in keyof Fields & string as SnakeCase<Field>]: Fields[Field]
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

/** Returns the values for an insert or an update, each under the column of its field. */
export function columnsOf<Fields extends object>(fields: Fields): ColumnsOf<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(entries)
}

export type NamedRow<Columns> = Columns extends RawBuilder<infer Row> ? Row : never
