import type { ColumnTypes } from '../../column-types.ts'

export function videos({ id, text, integer, boolean, no, strict }: ColumnTypes) {
  return `
    -- Key and user are no references, because a task is kept longer than they are; the ledger refers to it.
    -- owes_callback is set at the creation, because a task with an address for callbacks may owe none.
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
      deleted_at_ms ${integer},
      sealed_callback_url ${text},
      owes_callback ${boolean} default ${no} not null,
      provider ${id} default '' not null,
      metadata ${text} default '{}' not null,
      pricing ${text} default '{}' not null,
      sealed_ticket ${text},
      sealed_content ${text},
      error_code ${text},
      error_message ${text},
      notice_token_digest ${id},
      updated_at_ms ${integer},
      expires_at_ms ${integer} default 0 not null,
      next_poll_at_ms ${integer} default 0 not null,
      fence ${integer} default 0 not null,
      set_aside_at_ms ${integer}
    ) ${strict};
    create index video_tasks_listed on video_tasks (api_key_id, created_at_ms desc, id desc)
      where deleted_at_ms is null and status <> 'submitting';
    create unique index video_tasks_of_notice on video_tasks (notice_token_digest)
      where notice_token_digest is not null;
    -- A claim finds the organizations with due rows by these indexes, and the oldest rows of each.
    create index video_tasks_due on video_tasks (provider, organization_id, next_poll_at_ms)
      where status in ('submitting', 'queued', 'running') and set_aside_at_ms is null;
    create index video_tasks_set_aside on video_tasks (set_aside_at_ms) where set_aside_at_ms is not null;

    create table video_callbacks (
      id ${id} primary key not null,
      task_id ${id} not null unique references video_tasks (id),
      created_at_ms ${integer} not null,
      organization_id ${id} default '' not null,
      state ${text} default 'pending' not null check (state in ('pending', 'delivered', 'given-up')),
      attempt_count ${integer} default 0 not null,
      attempts_allowed ${integer} default 0 not null,
      next_attempt_at_ms ${integer} default 0 not null,
      fence ${integer} default 0 not null
    ) ${strict};
    create index video_callbacks_due on video_callbacks (organization_id, next_attempt_at_ms)
      where state = 'pending';

    create table callback_attempts (
      task_id ${id} not null references video_tasks (id),
      attempt ${integer} not null,
      at_ms ${integer} not null,
      status ${integer},
      error ${text},
      constraint callback_attempts_once primary key (task_id, attempt)
    ) ${strict};
    create index callback_attempts_by_time on callback_attempts (at_ms, task_id, attempt);

    -- The task is no reference, because the key is claimed before the task is written.
    create table idempotency_keys (
      api_key_id ${id} not null,
      key ${id} not null,
      body_digest ${id} not null,
      task_id ${id} not null unique,
      expires_at_ms ${integer} not null,
      constraint idempotency_keys_once primary key (api_key_id, key)
    ) ${strict};
    create index idempotency_keys_over on idempotency_keys (expires_at_ms)`
}
