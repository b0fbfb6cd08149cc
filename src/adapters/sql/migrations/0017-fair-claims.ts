import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** A claim finds the organizations that have something due, and the oldest rows of each. Sweeps leave out what is set aside. */
export function createFairClaims(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('video_tasks').addColumn('set_aside_at_ms', columns.integer).execute()
    for (const table of ['video_tasks', 'video_callbacks', 'assets']) {
      await sql`drop index ${sql.ref(`${table}_due`)}`.execute(db)
    }
    await sql`
      create index video_tasks_due on video_tasks (provider, organization_id, next_poll_at_ms)
      where status in ('submitting', 'queued', 'running') and set_aside_at_ms is null`.execute(db)
    await sql`
      create index video_tasks_set_aside on video_tasks (set_aside_at_ms)
      where set_aside_at_ms is not null`.execute(db)
    await sql`
      create index video_callbacks_due on video_callbacks (organization_id, next_attempt_at_ms)
      where state = 'pending'`.execute(db)
    await sql`
      create index assets_due on assets (provider, organization_id, next_poll_at_ms)
      where status = 'processing'`.execute(db)
  }
}
