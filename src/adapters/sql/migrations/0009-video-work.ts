import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/**
 * Columns that a task needs until its end. The engines require a default for a new column that is not null;
 * no row has one, because no earlier program wrote tasks or callbacks.
 */
export const createVideoWork: MigrationStep = ({ id, text, integer, strict }) => [
  sql`alter table video_tasks rename column callback_url to sealed_callback_url`,
  sql`alter table video_tasks add column provider ${id} default '' not null`,
  sql`alter table video_tasks add column metadata ${text} default '{}' not null`,
  sql`alter table video_tasks add column pricing ${text} default '{}' not null`,
  sql`alter table video_tasks add column sealed_ticket ${text}`,
  sql`alter table video_tasks add column sealed_content ${text}`,
  sql`alter table video_tasks add column error_code ${text}`,
  sql`alter table video_tasks add column error_message ${text}`,
  sql`alter table video_tasks add column notice_token_digest ${id}`,
  sql`alter table video_tasks add column updated_at_ms ${integer}`,
  sql`alter table video_tasks add column expires_at_ms ${integer} default 0 not null`,
  sql`alter table video_tasks add column next_poll_at_ms ${integer} default 0 not null`,
  sql`alter table video_tasks add column fence ${integer} default 0 not null`,
  sql`
    create unique index video_tasks_of_notice on video_tasks (notice_token_digest)
    where notice_token_digest is not null`,
  sql`
    create index video_tasks_due on video_tasks (provider, next_poll_at_ms)
    where status in ('submitting', 'queued', 'running')`,
  sql`alter table video_callbacks add column organization_id ${id} default '' not null`,
  sql`
    alter table video_callbacks add column state ${text} default 'pending' not null
    check (state in ('pending', 'delivered', 'given-up'))`,
  sql`alter table video_callbacks add column attempt_count ${integer} default 0 not null`,
  sql`alter table video_callbacks add column attempts_allowed ${integer} default 0 not null`,
  sql`alter table video_callbacks add column next_attempt_at_ms ${integer} default 0 not null`,
  sql`alter table video_callbacks add column fence ${integer} default 0 not null`,
  sql`create index video_callbacks_due on video_callbacks (next_attempt_at_ms) where state = 'pending'`,
  sql`
    create table callback_attempts (
      task_id ${id} not null references video_tasks (id),
      attempt ${integer} not null,
      at_ms ${integer} not null,
      status ${integer},
      error ${text},
      constraint callback_attempts_once primary key (task_id, attempt)
    ) ${strict}`,
  sql`create index callback_attempts_by_time on callback_attempts (at_ms, task_id, attempt)`,
  // The task is no reference, because the key is claimed before the task is written.
  sql`
    create table idempotency_keys (
      api_key_id ${id} not null,
      key ${id} not null,
      body_digest ${id} not null,
      task_id ${id} not null unique,
      expires_at_ms ${integer} not null,
      constraint idempotency_keys_once primary key (api_key_id, key)
    ) ${strict}`,
  sql`create index idempotency_keys_over on idempotency_keys (expires_at_ms)`,
]
