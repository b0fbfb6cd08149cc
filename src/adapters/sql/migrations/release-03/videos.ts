import type { ColumnTypes } from '../../column-types.ts'
import { addColumns } from './add-columns.ts'

export function videos({ id, text, integer, boolean, no, strict }: ColumnTypes) {
  return `
    -- The values of the current attempt differ from those of the first one, which needs no row of its own.
    -- Tasks of 0.2 owe no receipt, because they have no stored order; a client's request makes it.
    ${addColumns(
      'video_tasks',
      `
      ordered ${text}
      owes_receipt ${boolean} default ${no} not null
      attempt ${integer} default 1 not null
      attempt_at_ms ${integer}
      served_model ${id}
      stand_ins ${text}
      withheld_at_ms ${integer}
      sealed_request ${text}
      request_id ${id}
      alias ${text}`,
    )};
    create index video_tasks_by_end on video_tasks (completed_at_ms) where completed_at_ms is not null;
    create index video_tasks_with_content on video_tasks (completed_at_ms) where sealed_content is not null;
    create index video_tasks_owing_receipts on video_tasks (id)
      where owes_receipt and completed_at_ms is not null;
    create index video_tasks_of_requests on video_tasks (request_id) where request_id is not null;
    create index video_tasks_paged on video_tasks (organization_id, id);
    create index video_tasks_by_status on video_tasks (status, id);
    create index video_tasks_of_status on video_tasks (organization_id, status, id);
    create index video_tasks_by_model on video_tasks (model, id);
    create index video_tasks_open on video_tasks (id) where status in ('submitting', 'queued', 'running');

    -- Attempts of tasks that were handed over to a stand-in.
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
    ) ${strict};

    -- Reports of vendors about a task, at most one row for each status of an attempt.
    create table task_snapshots (
      task_id ${id} not null references video_tasks (id) on delete cascade,
      attempt ${integer} default 1 not null,
      status ${id} not null,
      at_ms ${integer} not null,
      error_code ${text},
      error_message ${text},
      measured ${text} not null,
      constraint task_snapshots_by_attempt_once primary key (task_id, attempt, status)
    ) ${strict};

    -- Used quotes with their tasks.
    create table video_quotes (
      id ${id} primary key,
      task_id ${id} not null unique references video_tasks (id) on delete cascade
    ) ${strict};

    -- Retries for a day end at the time. Without it a callback has three attempts.
    alter table video_callbacks add column retry_until_ms ${integer};
    create index video_callbacks_by_state on video_callbacks (state, task_id);

    create index assets_paged on assets (organization_id, id);
    create index assets_by_status on assets (status, id);
    create index assets_of_status on assets (organization_id, status, id);
    create index assets_of_group on assets (group_id, id);
    create index asset_groups_paged on asset_groups (organization_id, id);
    create index asset_groups_by_kind on asset_groups (kind, id);
    create index verifications_paged on verifications (organization_id, id);

    -- People who were erased before a verification ended.
    alter table verifications add column erased_tickets ${text};

    -- Revoked consents. A row stays after the group is deleted, because the group's link must show it.
    create table revocations (
      group_id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      verified_at_ms ${integer} not null,
      revoked_at_ms ${integer} not null,
      has_receipt ${boolean} default ${no} not null,
      files ${text}
    ) ${strict};
    create index revocations_of on revocations (organization_id, revoked_at_ms);
    create index revocations_owing_receipts on revocations (revoked_at_ms, group_id) where not has_receipt;

    -- Verified people whom a task shows. A row is deleted with its task or its group.
    create table task_groups (
      group_id ${id} not null references asset_groups (id) on delete cascade,
      task_id ${id} not null references video_tasks (id) on delete cascade,
      organization_id ${id} not null,
      constraint task_groups_once primary key (group_id, task_id)
    ) ${strict};
    create index task_groups_of_task on task_groups (task_id, group_id);
    create index task_groups_paged on task_groups (organization_id, task_id);

    -- Copies that vendors have of erased data, until they are removed.
    create table vendor_removals (
      provider ${text} not null,
      kind ${text} not null check (kind in ('asset', 'group')),
      ticket ${text} not null,
      group_ticket ${text} not null,
      organization_id ${id} not null,
      created_at_ms ${integer} not null,
      due_at_ms ${integer} not null,
      attempts ${integer} default 0 not null,
      constraint vendor_removals_once primary key (provider, kind, ticket)
    ) ${strict};
    create index vendor_removals_due on vendor_removals (provider, due_at_ms);
    create index vendor_removals_of_group on vendor_removals (provider, group_ticket)`
}
