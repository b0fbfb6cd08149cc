import type { PageQuery } from '../../ports/page-query.ts'
import type { EngineTraits } from './engine-traits.ts'
import { isFiltered } from './page-of.ts'
import type { Db } from './tables.ts'

/** A method of a port in SQL, with plain data in and out, because SQLite runs it on another thread. */
export interface Statement<Run> {
  readonly run: Run
  readonly how: StatementKind | ((...args: ArgsOf<Run>) => StatementKind)
  /** Runs before `run`, in its own transaction. When it returns an answer, `run` is skipped. */
  readonly first?: AnyStatement
}

/**
 * - `read`: reads a few rows.
 * - `readLong`: reads many rows, and delays only other long reads.
 * - `report`: reads one snapshot of the whole store, on its own connection without a short timeout.
 * - `write`: one transaction, which is durable when it resolves and undone when it rejects, unless the
 * engine was lost during the commit.
 * - `single`: a write of one statement, or of several that need no transaction. It saves PostgreSQL two
 * round trips.
 */
export type StatementKind = 'read' | 'readLong' | 'report' | 'write' | 'single'

/** Statements by the methods of a port. No argument is optional, because writes get the traits as one more argument. */
export type StatementsOf<Port> = {
  readonly [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Result>
    ? Args extends Required<Args>
      ? Statement<(db: Db, ...args: [...Args, EngineTraits]) => Promise<Result>>
      : 'a method of a store has no optional argument'
    : never
}

export type AnyStatement = Statement<AnyRun>
type AnyRun = (db: Db, ...args: never[]) => Promise<unknown>
type ArgsOf<Run> = Run extends (db: Db, ...args: infer Args) => unknown ? Args : never

/** Runs as `readLong` for arguments for which `isLong` returns true. */
export function read<Run extends AnyRun>(
  run: Run,
  isLong?: (...args: ArgsOf<Run>) => boolean,
): Statement<Run> {
  return { run, how: isLong === undefined ? 'read' : (...args) => (isLong(...args) ? 'readLong' : 'read') }
}

/** Runs as `readLong` with filters besides the organization, because such a page may read many rows. */
export function page<Query extends PageQuery, Row>(
  run: (db: Db, query: Query) => Promise<Row[]>,
): Statement<typeof run> {
  return read(run, isFiltered)
}

export function readLong<Run extends AnyRun>(run: Run): Statement<Run> {
  return { run, how: 'readLong' }
}

export function report<Run extends AnyRun>(run: Run): Statement<Run> {
  return { run, how: 'report' }
}

/** Runs as `single` for arguments for which `isSingle` returns true. */
export function write<Run extends AnyRun>(
  run: Run,
  isSingle?: (...args: ArgsOf<Run>) => boolean,
): Statement<Run> {
  return {
    run,
    how: isSingle === undefined ? 'write' : (...args) => (isSingle(...args) ? 'single' : 'write'),
  }
}

export function single<Run extends AnyRun>(run: Run): Statement<Run> {
  return { run, how: 'single' }
}

/** Runs `first`, which is faster, and `then` only if `first` returns no answer. */
export function firstOf<Run extends AnyRun>(
  first: Statement<(...args: Parameters<Run>) => Promise<Awaited<ReturnType<Run>> | undefined>>,
  then: Statement<Run>,
): Statement<Run> {
  return { ...then, first: first as AnyStatement }
}
