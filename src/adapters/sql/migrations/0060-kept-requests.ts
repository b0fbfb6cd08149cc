import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** What a stand-in needs to make a task that an earlier vendor failed; null for a task that no stand-in can take. */
export function createKeptRequests(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('video_tasks').addColumn('sealed_request', columns.text).execute()
  }
}
