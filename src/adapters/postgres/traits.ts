import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'

export const POSTGRES_TRAITS: EngineTraits = {
  lockTable: async (db, table) => {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
  },
  // `for update` would wait for whoever inserts a row that refers to this one, and could so close a circle.
  lockRows: sql`for no key update`,
  lockFreeRows: sql`for no key update skip locked`,
}
