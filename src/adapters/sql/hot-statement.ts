import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

/**
 * Statement on a hot path. Its text is built once for each connection pool, because building the text for each call costs
 * more than SQLite needs to run it. Arguments may be used only as values. The context is the same in all calls on an
 * engine, and may be used anywhere.
 */
export function hotStatement<Args extends object, Row = unknown, Context extends readonly unknown[] = []>(
  build: (args: Args, ...context: Context) => RawBuilder<Row>,
): (db: Db, args: Args, ...context: Context) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, args, ...context) => {
    const executor = db.getExecutor()
    const template =
      compiled.get(executor.adapter) ?? compile(db, (placeholders: Args) => build(placeholders, ...context))
    compiled.set(executor.adapter, template)
    const parameters = template.parameters.map((value) =>
      value instanceof Placeholder ? args[value.name as keyof Args] : value,
    )
    return executor.executeQuery<Row>({ ...template, parameters })
  }
}

/** Hot statement over a flat list of few lengths, with one text per length. Each row takes `width` values of the list. */
export function hotListStatement<Value, Row = unknown, Context extends readonly unknown[] = []>(
  width: number,
  build: (rows: readonly (readonly Value[])[], ...context: Context) => RawBuilder<Row>,
): (db: Db, values: readonly Value[], ...context: Context) => Promise<QueryResult<Row>> {
  const statements = new Map<number, ReturnType<typeof hotStatement<readonly Value[], Row, Context>>>()
  return (db, values, ...context) => {
    const { length } = values
    const statement =
      statements.get(length) ??
      hotStatement<readonly Value[], Row, Context>((placeholders, ...rest) =>
        build(rowsOf(placeholders, { length, width }), ...rest),
      )
    statements.set(length, statement)
    return statement(db, values, ...context)
  }
}

/** Takes the length, because the proxy for the list of placeholders has none. */
function rowsOf<Value>(
  placeholders: readonly Value[],
  { length, width }: { length: number; width: number },
): Value[][] {
  if (length % width !== 0) throw new Error(`${length} values do not fill rows of ${width}`)
  return Array.from({ length: length / width }, (_row, row) =>
    Array.from({ length: width }, (_column, column) => placeholders[row * width + column] as Value),
  )
}

export type SqlValue = string | number | null

class Placeholder<Name> {
  readonly name: Name

  constructor(name: Name) {
    this.name = name
  }

  /** Throws, because arithmetic with a placeholder would put a constant into the prepared statement. */
  [Symbol.toPrimitive](): never {
    throw new TypeError(`${String(this.name)} stands for a value of each call: pass the computed value`)
  }
}

/** Builds the statement with a placeholder for each argument, which shows the positions of the arguments. */
function compile<Args extends object, Row>(
  db: Db,
  build: (args: Args) => RawBuilder<Row>,
): CompiledQuery<Row> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) })
  return build(placeholders as Args).compile(db)
}
