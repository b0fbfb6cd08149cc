import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What a key may spend in a month, what it was charged in the month of its last charge, and the holds that it opened. */
export function createKeyBudgets(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    const keys = db.schema.alterTable('api_keys')
    await keys
      .addColumn('monthly_budget_micros', columns.integer, (column) =>
        column.check(sql`monthly_budget_micros between 0 and 9007199254740991`),
      )
      .execute()
    await keys.addColumn('budget_month', columns.text).execute()
    await keys
      .addColumn('budget_used_micros', columns.integer, (column) =>
        column
          .notNull()
          .defaultTo(0)
          .check(sql`budget_used_micros between -9007199254740991 and 9007199254740991`),
      )
      .execute()
    await db.schema.alterTable('holds').addColumn('api_key_id', columns.id).execute()
    await sql`
      create index holds_open_of_key on holds (api_key_id) where state = 'open' and api_key_id is not null`.execute(
      db,
    )
    await sql`
      create index api_keys_with_budget on api_keys (id) where monthly_budget_micros is not null`.execute(db)
  }
}
