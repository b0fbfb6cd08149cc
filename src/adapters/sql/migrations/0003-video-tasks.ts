import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Key and user are no references, because a task is kept longer than they are; the ledger refers to it. */
export const createVideoTasks: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table video_tasks (
      id ${id} primary key not null,
      api_key_id ${id} not null,
      organization_id ${id} not null references organizations (id),
      user_id ${id} not null,
      model ${text} not null,
      status ${text} not null
        check (status in ('submitting', 'queued', 'running', 'succeeded', 'failed', 'cancelled')),
      created_at_ms ${integer} not null,
      completed_at_ms ${integer},
      deleted_at_ms ${integer}
    ) ${strict}`,
  sql`
    create index video_tasks_listed on video_tasks (api_key_id, created_at_ms desc, id desc)
    where deleted_at_ms is null and status <> 'submitting'`,
]
