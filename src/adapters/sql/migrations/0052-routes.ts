import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** A model may be served by the providers of other rows. */
export function createRoutes(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('models').addColumn('route', columns.text).execute()
    await db.schema
      .alterTable('models')
      .addColumn('route_by', columns.text, (column) =>
        column.check(sql`route_by in ('weight', 'latency', 'price')`),
      )
      .execute()
  }
}
