import type { CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * A statement on a hot path, whose text is built once for each connection pool and then only filled in: building it
 * anew costs more than SQLite needs to run it. Its arguments may stand in the text as values and nowhere else.
 */
export function hotStatement<Args extends object, Row = unknown>(
  build: (args: Args) => RawBuilder<Row>,
): (db: Kysely<Tables>, args: Args) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db, args) => {
    const executor = db.getExecutor()
    const template = compiled.get(executor.adapter) ?? compile(db, build)
    compiled.set(executor.adapter, template)
    const parameters = template.parameters.map((value) =>
      value instanceof Place ? args[value.name as keyof Args] : value,
    )
    return executor.executeQuery<Row>({ ...template, parameters })
  }
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
  db: Kysely<Tables>,
  build: (args: Args) => RawBuilder<Row>,
): CompiledQuery<Row> {
  const places = new Proxy({}, { get: (_, name) => new Place(name) })
  return build(places as Args).compile(db)
}
