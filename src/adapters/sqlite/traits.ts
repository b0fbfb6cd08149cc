import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'

/** A write transaction of SQLite already keeps every other writer out of the whole file. */
export const SQLITE_TRAITS: EngineTraits = {
  lockTable: async () => {},
  lockName: async () => {},
  lockRows: sql``,
  lockFreeRows: sql``,
}
