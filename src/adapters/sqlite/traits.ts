import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'

/** SQLite needs no locks, because a write transaction excludes every other writer. */
export const SQLITE_TRAITS: EngineTraits = {
  lockTable: async () => {},
  lockName: async () => {},
  lockRows: sql``,
  lockRowsSkippingLocked: sql``,
}
