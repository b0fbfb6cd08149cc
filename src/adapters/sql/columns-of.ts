/** Columns that are named like the fields of a type, in snake case. */
export type ColumnsOf<Fields> = {
  [Field in keyof Fields & string as SnakeCase<Field>]: Fields[Field]
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

/** Returns the values for an insert or an update, each under the column of its field. */
export function columnsOf<Fields extends object>(fields: Fields): ColumnsOf<Fields>
export function columnsOf(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [columnOf(name), value]))
}

export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
