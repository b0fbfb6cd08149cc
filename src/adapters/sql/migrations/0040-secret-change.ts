import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What the store knows of a change of the deployment's secret; all null in a store whose secret was never changed. */
export function createSecretChange(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    const deployment = db.schema.alterTable('deployment')
    await deployment.addColumn('sealed_previous', columns.text).execute()
    await deployment.addColumn('sealed_mark_key', columns.text).execute()
    await deployment.addColumn('unnamed_secret', columns.text).execute()
    await deployment.addColumn('switched_at_ms', columns.integer).execute()
  }
}
