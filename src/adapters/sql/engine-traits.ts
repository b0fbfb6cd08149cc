import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The few things an operation must say differently to each engine. */
export interface EngineTraits {
  /** Keeps every other writer of the table out until the transaction ends. */
  lockTable(db: Kysely<Tables>, table: keyof Tables): Promise<void>
}
