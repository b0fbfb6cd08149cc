import { sql } from 'kysely'
import type { MigrationSteps } from '../migration-step.ts'

export const MIGRATIONS: MigrationSteps = {
  /** Replies that clients read again, encrypted, for deployments without Redis. */
  '0044-kept-values': ({ id, text, integer, strict }) => [
    sql`
      create table kept_values (
        key ${id} primary key not null,
        value ${text} not null,
        share ${id},
        bytes ${integer} not null,
        expires_at_ms ${integer} not null
      ) ${strict}`,
    sql`create index kept_values_over on kept_values (expires_at_ms)`,
    sql`create index kept_values_of on kept_values (share, expires_at_ms, bytes) where share is not null`,
  ],
  /** Used quotes with their tasks, and the cost of a settlement beyond its quote. */
  '0047-quotes': ({ id, integer, strict }) => [
    sql`
      create table video_quotes (
        id ${id} primary key,
        task_id ${id} not null unique references video_tasks (id) on delete cascade
      ) ${strict}`,
    sql`alter table ledger_entries add column quote_loss_micros ${integer} default 0 not null`,
  ],
  /**
   * Signed receipts, one chain per organization, and the keys that sign them. Earlier tasks owe no receipt,
   * because they have no stored order; a client's request makes it.
   */
  '0048-receipts': ({ id, text, integer, boolean, no, strict }) => [
    sql`
      create table receipts (
        id ${id} primary key not null,
        organization_id ${id} not null,
        api_key_id ${id},
        number ${integer} not null,
        hash ${id} not null,
        jws ${text} not null,
        made_at_ms ${integer} not null,
        constraint receipts_in_a_chain unique (organization_id, number)
      ) ${strict}`,
    sql`
      create table receipt_keys (
        id ${id} primary key not null,
        public_key ${text} not null,
        sealed_private_key ${text},
        created_at_ms ${integer} not null
      ) ${strict}`,
    sql`alter table video_tasks add column ordered ${text}`,
    sql`alter table video_tasks add column owes_receipt ${boolean} default ${no} not null`,
    sql`
      create index video_tasks_owing_receipts on video_tasks (id)
      where owes_receipt and completed_at_ms is not null`,
  ],
  /** Video models that step in for another, and the attempts of tasks that were handed over to one. */
  '0050-stand-ins': ({ id, text, integer, strict }) => [
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
  ],
  /** Routes of models that the providers of other rows serve. */
  '0052-routes': ({ text }) => [
    sql`alter table models add column route ${text}`,
    sql`alter table models add column route_by ${text} check (route_by in ('weight', 'latency', 'price'))`,
  ],
  /** Revoked consents, and the time since which a task's result is withheld. */
  '0054-consent': ({ id, integer, strict }) => [
    // The row stays after the group is deleted, because the group's link must show the revocation.
    sql`
      create table revocations (
        group_id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        verified_at_ms ${integer} not null,
        revoked_at_ms ${integer} not null
      ) ${strict}`,
    sql`create index revocations_of on revocations (organization_id, revoked_at_ms)`,
    sql`alter table video_tasks add column withheld_at_ms ${integer}`,
  ],
  /** Events for an organization's own address, such as a revoked consent. */
  '0055-organization-events': ({ id, text, integer, strict }) => [
    sql`alter table organizations add column events_url ${text}`,
    sql`
      create table organization_events (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        type ${text} not null,
        subject ${id} not null,
        created_at_ms ${integer} not null,
        state ${text} not null check (state in ('pending', 'delivered', 'given-up')),
        attempt_count ${integer} default 0 not null,
        attempts_allowed ${integer} not null,
        next_attempt_at_ms ${integer} not null,
        fence ${integer} default 0 not null,
        last_status ${integer},
        last_error ${text}
      ) ${strict}`,
    sql`
      create index organization_events_due on organization_events (organization_id, next_attempt_at_ms)
      where state = 'pending'`,
  ],
  /** Verified people whom a task shows. A row is deleted with its task or its group. */
  '0056-task-groups': ({ id, strict }) => [
    sql`
      create table task_groups (
        group_id ${id} not null references asset_groups (id) on delete cascade,
        task_id ${id} not null references video_tasks (id) on delete cascade,
        organization_id ${id} not null,
        constraint task_groups_once primary key (group_id, task_id)
      ) ${strict}`,
    sql`create index task_groups_of_task on task_groups (task_id, group_id)`,
    sql`create index task_groups_paged on task_groups (organization_id, task_id)`,
    sql`create index assets_of_group on assets (group_id, id)`,
  ],
  /** Folded names, by whose beginning organizations are found, and the vendor's prices of models. */
  '0059-search-and-vendor-prices': ({ id, text, computed }) => [
    sql`
      alter table organizations add column folded_name ${id} generated always as (lower(name)) ${computed}`,
    sql`create index organizations_by_name on organizations (folded_name, id)`,
    sql`alter table models add column vendor_prices ${text}`,
  ],
  /** Encrypted request for a stand-in; null for a task without stand-ins. */
  '0060-kept-requests': ({ text }) => [sql`alter table video_tasks add column sealed_request ${text}`],
  /** Index of revocations without a receipt, and the people who were erased before a verification ended. */
  '0061-late-consent': ({ text, boolean, no }) => [
    sql`alter table revocations add column has_receipt ${boolean} default ${no} not null`,
    sql`
      update revocations set has_receipt = not has_receipt
      where exists (select 1 from receipts where receipts.id = revocations.group_id)`,
    sql`
      create index revocations_owing_receipts on revocations (revoked_at_ms, group_id)
      where not has_receipt`,
    sql`alter table verifications add column erased_tickets ${text}`,
  ],
  /** Request ids of receipts, by which a receipt is found even after its usage row was dropped. */
  '0062-receipts-of-requests': ({ id }) => [
    sql`alter table receipts add column request_id ${id}`,
    sql`
      update receipts set request_id = (select request_id from text_usage
      where text_usage.id = receipts.id) where id like 'use%'`,
    sql`create index receipts_of_requests on receipts (request_id) where request_id is not null`,
  ],
  /** Request ids of create calls, by which tasks are found. Existing tasks have none. */
  '0063-requests-of-tasks': ({ id }) => [
    sql`alter table video_tasks add column request_id ${id}`,
    sql`create index video_tasks_of_requests on video_tasks (request_id) where request_id is not null`,
  ],
  /** Which replies are kept for an organization; null: the setting of the deployment applies. */
  '0064-keep-replies': ({ text }) => [
    sql`
      alter table organizations add column keep_replies ${text}
      check (keep_replies in ('default', 'asked'))`,
  ],
  /** Time of a user's erasure; audit rows tell earlier ones, unless the user was enabled since. */
  '0065-erased-users': ({ integer }) => [
    sql`alter table users add column erased_at_ms ${integer}`,
    sql`
      update users set erased_at_ms = disabled_at_ms
      where name = '' and disabled_at_ms is not null
        and id in (select subject from audit_events where action = 'user.erase')`,
  ],
  /** Days as `YYYY-MM-DD`: when the prices were taken from the vendor, and when it ends the model. */
  '0066-dates-of-models': ({ text }) => [
    sql`alter table models add column prices_taken ${text}`,
    sql`alter table models add column ends ${text}`,
  ],
  /** Providers that operators add while the gateway runs, and the version by which replicas notice a change. */
  '0067-providers': ({ id, text, integer, strict }) => [
    sql`
      create table providers (
        id ${id} primary key not null,
        name ${id} not null unique,
        driver ${text} not null,
        settings ${text} not null,
        models ${text},
        sealed_secrets ${text},
        state ${text} not null check (state in ('active', 'disabled')),
        version ${integer} not null,
        created_at_ms ${integer} not null,
        changed_at_ms ${integer} not null
      ) ${strict}`,
    sql`create table provider_changes (id ${integer} primary key not null, version ${integer} not null) ${strict}`,
  ],
  /** Other names of models. An empty `organization_id` means every one: a key is never null. */
  '0068-aliases': ({ id, text, integer, strict }) => [
    sql`
      create table model_aliases (
        organization_id ${id} default '' not null,
        alias ${id} not null,
        model ${id} not null,
        created_at_ms ${integer} not null,
        primary key (organization_id, alias)
      ) ${strict}`,
    sql`alter table video_tasks add column alias ${text}`,
  ],
  /**
   * Columns of the request log in `text_usage`, refused requests, and the spans by which a filter finds its
   * rows. An index for each filter would cost each request more than its usage row does (decision 27).
   */
  '0069-request-log': ({ id, text, integer, strict, clustered }) => [
    sql`alter table text_usage add column operation ${text}`,
    sql`alter table text_usage add column status ${integer}`,
    sql`alter table text_usage add column code ${text}`,
    sql`
      create table refused_requests (
        id ${id} primary key not null,
        at_ms ${integer} not null,
        organization_id ${id} not null,
        user_id ${id} not null,
        api_key_id ${id} not null,
        operation ${text},
        status ${integer},
        code ${text} not null,
        model ${id},
        duration_ms ${integer},
        not_kept ${integer} check (not_kept > 0)
      ) ${strict}`,
    sql`create index refused_requests_by_time on refused_requests (at_ms)`,
    sql`
      create table log_spans (
        id ${integer} primary key not null,
        source ${id} not null,
        from_ms ${integer} not null,
        to_ms ${integer} not null,
        cost_micros_max ${integer} not null
      ) ${strict}`,
    sql`create index log_spans_by_time on log_spans (source, to_ms)`,
    sql`
      create table log_span_values (
        value ${integer} not null,
        span_id ${integer} not null,
        constraint log_span_values_once primary key (value, span_id)
      ) ${clustered}`,
    sql`create index log_span_values_of_span on log_span_values (span_id)`,
  ],
  /** Models that clients do not see. */
  '0070-published-models': ({ boolean, no }) => [
    sql`alter table models add column unpublished ${boolean} default ${no} not null`,
  ],
}
