import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What an organization may spend in a month, and what it was charged in the month of its last charge. */
export function createBudgets(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    const organizations = db.schema.alterTable('organizations')
    await organizations
      .addColumn('monthly_budget_micros', columns.integer, (column) =>
        column.check(sql`monthly_budget_micros between 0 and 9007199254740991`),
      )
      .execute()
    await organizations
      .addColumn('budget_warn_percent', columns.integer, (column) =>
        column.check(sql`budget_warn_percent between 1 and 100`),
      )
      .execute()
    await organizations.addColumn('budget_month', columns.text).execute()
    await organizations
      .addColumn('budget_used_micros', columns.integer, (column) =>
        column
          .notNull()
          .defaultTo(0)
          .check(sql`budget_used_micros between -9007199254740991 and 9007199254740991`),
      )
      .execute()
    await organizations.addColumn('budget_warned_month', columns.text).execute()
    await sql`
      create index organizations_with_budget on organizations (id) where monthly_budget_micros is not null`.execute(
      db,
    )
  }
}
