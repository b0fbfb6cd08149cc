import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Reports of vendors about a task, at most one row for each status. */
export const createTaskSnapshots: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table task_snapshots (
      task_id ${id} not null references video_tasks (id) on delete cascade,
      status ${id} not null,
      at_ms ${integer} not null,
      error_code ${text},
      error_message ${text},
      measured ${text} not null,
      constraint task_snapshots_once primary key (task_id, status)
    ) ${strict}`,
]
