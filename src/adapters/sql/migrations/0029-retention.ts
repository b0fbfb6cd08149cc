import { type Kysely, sql } from 'kysely'

/** What is dropped by age is found by age. */
export function createRetention(): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await sql`
      create index video_tasks_by_end on video_tasks (completed_at_ms) where completed_at_ms is not null`.execute(
      db,
    )
    await sql`
      create index video_tasks_with_content on video_tasks (completed_at_ms) where sealed_content is not null`.execute(
      db,
    )
    await sql`create index audit_events_by_age on audit_events (at_ms) where entry_id is null`.execute(db)
  }
}
