import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Indexes by which a claim finds the organizations with due rows, and the oldest rows of each. */
export const createFairClaims: MigrationStep = ({ integer }) => [
  sql`alter table video_tasks add column set_aside_at_ms ${integer}`,
  sql`drop index video_tasks_due`,
  sql`drop index video_callbacks_due`,
  sql`drop index assets_due`,
  sql`
    create index video_tasks_due on video_tasks (provider, organization_id, next_poll_at_ms)
    where status in ('submitting', 'queued', 'running') and set_aside_at_ms is null`,
  sql`
    create index video_tasks_set_aside on video_tasks (set_aside_at_ms)
    where set_aside_at_ms is not null`,
  sql`
    create index video_callbacks_due on video_callbacks (organization_id, next_attempt_at_ms)
    where state = 'pending'`,
  sql`
    create index assets_due on assets (provider, organization_id, next_poll_at_ms)
    where status = 'processing'`,
]
