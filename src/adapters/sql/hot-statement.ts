import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

/**
 * A statement on a hot path, whose text is built once for each connection pool and then only filled in: building it
 * anew costs more than SQLite needs to run it. Its arguments may stand in the text as values and nowhere else; the
 * context, which is the same in all calls on one engine, may stand anywhere.
 */
export function hotStatement<Args extends object, Row = unknown, Context extends readonly unknown[] = []>(
  build: (args: Args, ...context: Context) => RawBuilder<Row>,
): (db: Db, args: Args, ...context: Context) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, args, ...context) => {
    const executor = db.getExecutor()
    const template =
      compiled.get(executor.adapter) ?? compile(db, (places: Args) => build(places, ...context))
    compiled.set(executor.adapter, template)
    const parameters = template.parameters.map((value) =>
      value instanceof Place ? args[value.name as keyof Args] : value,
    )
    return executor.executeQuery<Row>({ ...template, parameters })
  }
}

/**
 * A hot statement over a list, with a text for each length: lists come from `inChunks`, which makes few. The values of
 * its rows stand one after the other, `width` for each row.
 */
export function hotListStatement<Value, Row = unknown, Context extends readonly unknown[] = []>(
  width: number,
  build: (rows: readonly (readonly Value[])[], ...context: Context) => RawBuilder<Row>,
): (db: Db, values: readonly Value[], ...context: Context) => Promise<QueryResult<Row>> {
  const statements = new Map<number, ReturnType<typeof hotStatement<readonly Value[], Row, Context>>>()
  return (db, values, ...context) => {
    const { length } = values
    const statement =
      statements.get(length) ??
      hotStatement<readonly Value[], Row, Context>((places, ...rest) =>
        build(rowsOf(places, { length, width }), ...rest),
      )
    statements.set(length, statement)
    return statement(db, values, ...context)
  }
}

/** Places have no length, so it is given. */
function rowsOf<Value>(
  places: readonly Value[],
  { length, width }: { length: number; width: number },
): Value[][] {
  if (length % width !== 0) throw new Error(`${length} values are no rows of ${width}`)
  return Array.from({ length: length / width }, (_row, row) =>
    Array.from({ length: width }, (_column, column) => places[row * width + column] as Value),
  )
}

class Place<Name> {
  readonly name: Name

  constructor(name: Name) {
    this.name = name
  }

  /** Arithmetic on it would bind a constant into the prepared statement, so it throws. */
  [Symbol.toPrimitive](): never {
    throw new TypeError(`${String(this.name)} stands for a value of each call: give the statement the result`)
  }
}

/** Builds the statement with a placeholder for each argument, and sees where they come out. */
function compile<Args extends object, Row>(
  db: Db,
  build: (args: Args) => RawBuilder<Row>,
): CompiledQuery<Row> {
  const places = new Proxy({}, { get: (_, name) => new Place(name) })
  return build(places as Args).compile(db)
}
