import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Indexes by which old rows are dropped. */
export const createRetention: MigrationStep = () => [
  sql`create index video_tasks_by_end on video_tasks (completed_at_ms) where completed_at_ms is not null`,
  sql`
    create index video_tasks_with_content on video_tasks (completed_at_ms)
    where sealed_content is not null`,
  sql`create index audit_events_by_age on audit_events (at_ms) where entry_id is null`,
]
