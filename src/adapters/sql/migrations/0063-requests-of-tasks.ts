import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** A task is found by the request id that the answer of its create call carried; tasks that exist have none. */
export function createRequestsOfTasks(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('video_tasks').addColumn('request_id', columns.id).execute()
    await sql`
      create index video_tasks_of_requests on video_tasks (request_id) where request_id is not null`.execute(
      db,
    )
  }
}
