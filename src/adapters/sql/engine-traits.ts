import type { RawBuilder } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Parts of statements that differ between the engines. */
export interface EngineTraits {
  /** Excludes every other writer of the table until the transaction ends. */
  lockTable(db: Db, table: keyof Tables): Promise<void>
  /** Locks a name until the transaction ends; one transaction at a time has this lock. */
  lockName(db: Db, name: string): Promise<void>
  /** Locks the rows of a select, in its order. Others can still insert rows that refer to them. */
  lockRows: RawBuilder<unknown>
  /** Like `lockRows`, but skips rows that another transaction has locked. */
  lockRowsSkippingLocked: RawBuilder<unknown>
}
