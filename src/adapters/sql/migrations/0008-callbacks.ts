import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** `owes_callback` is set at the creation of a task, because a task with a `callback_url` may owe none. */
export const createCallbacks: MigrationStep = ({ id, text, integer, boolean, no, strict }) => [
  sql`alter table video_tasks add column callback_url ${text}`,
  sql`alter table video_tasks add column owes_callback ${boolean} default ${no} not null`,
  sql`
    create table video_callbacks (
      id ${id} primary key not null,
      task_id ${id} not null unique references video_tasks (id),
      created_at_ms ${integer} not null
    ) ${strict}`,
]
