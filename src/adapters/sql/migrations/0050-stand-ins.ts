import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Video models that step in for another, and the attempts of tasks that were handed over to one. */
export const createStandIns: MigrationStep = ({ id, text, integer, strict }) => [
  sql`alter table models add column stand_ins ${text}`,
  // Values in which the current attempt differs from the first attempt, which needs none.
  sql`alter table video_tasks add column attempt ${integer} default 1 not null`,
  sql`alter table video_tasks add column attempt_at_ms ${integer}`,
  sql`alter table video_tasks add column served_model ${id}`,
  sql`alter table video_tasks add column stand_ins ${text}`,
  sql`
    create table task_attempts (
      id ${id} primary key,
      task_id ${id} not null references video_tasks (id) on delete cascade,
      number ${integer} not null,
      provider ${id} not null,
      model ${id} not null,
      state ${text} not null check (state in ('open', 'refused', 'failed', 'succeeded', 'cancelled')),
      sealed_ticket ${text},
      began_at_ms ${integer},
      ended_at_ms ${integer},
      reason ${text},
      message ${text},
      vendor_cost_micros ${integer},
      constraint task_attempts_once unique (task_id, number)
    ) ${strict}`,
  // The attempt joins the key, which SQLite cannot change: the table is created again.
  sql`
    create table task_snapshots_by_attempt (
      task_id ${id} not null references video_tasks (id) on delete cascade,
      attempt ${integer} default 1 not null,
      status ${id} not null,
      at_ms ${integer} not null,
      error_code ${text},
      error_message ${text},
      measured ${text} not null,
      constraint task_snapshots_by_attempt_once primary key (task_id, attempt, status)
    ) ${strict}`,
  sql`
    insert into task_snapshots_by_attempt (task_id, status, at_ms, error_code, error_message, measured)
    select task_id, status, at_ms, error_code, error_message, measured from task_snapshots`,
  sql`drop table task_snapshots`,
  sql`alter table task_snapshots_by_attempt rename to task_snapshots`,
]
