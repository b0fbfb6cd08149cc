import type { RawBuilder } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** The few things an operation must say differently to each engine. */
export interface EngineTraits {
  /** Keeps every other writer of the table out until the transaction ends. */
  lockTable(db: Db, table: keyof Tables): Promise<void>
  /** Lets one transaction at a time go on with this name. */
  lockName(db: Db, name: string): Promise<void>
  /** Ends a select: its rows are locked in its order. A lock lets others still refer to the row. */
  lockRows: RawBuilder<unknown>
  /** The same, without the rows that another transaction has locked. */
  lockFreeRows: RawBuilder<unknown>
}
