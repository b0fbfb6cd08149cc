import type { RawBuilder } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Parts of statements that differ between the engines. */
export interface EngineTraits {
  /** Excludes every other writer of the table until the transaction ends. */
  lockTable(db: Db, table: keyof Tables): Promise<void>
  /** Only one transaction at a time holds the lock of a name. */
  lockName(db: Db, name: string): Promise<void>
  /** End of a select that locks its rows in order. Other transactions can still insert references to a locked row. */
  lockRows: RawBuilder<unknown>
  /** Like `lockRows`, but skips rows that another transaction has locked. */
  lockRowsSkippingLocked: RawBuilder<unknown>
}
