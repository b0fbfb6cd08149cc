import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'

export const POSTGRES_TRAITS: EngineTraits = {
  lockTable: async (db, table) => {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
  },
}
