import { type RawBuilder, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import type { MigrationSteps } from '../migration-step.ts'

export const MIGRATIONS: MigrationSteps = {
  /** Sums of usage by hour and by day, the columns to count rows by, and the age of the oldest rows. */
  '0022-usage-rollups': (columns) => {
    const { id, text, integer, strict } = columns
    return [
      ...createRollup('usage_rollup_hour', columns),
      ...createRollup('usage_rollup_day', columns),
      // `charged_at_ms` is the time of the entry; null: the rollups lack the row of an older version.
      sql`alter table text_usage add column request_id ${id}`,
      sql`alter table text_usage add column provider ${text}`,
      sql`alter table text_usage add column price_model ${text}`,
      sql`alter table text_usage add column vendor_usage ${text}`,
      sql`alter table text_usage add column charged_at_ms ${integer}`,
      sql`create index text_usage_of_request on text_usage (request_id) where request_id is not null`,
      sql`create index text_usage_by_time on text_usage (charged_at_ms) where charged_at_ms is not null`,
      sql`create index text_usage_uncounted on text_usage (entry_id) where charged_at_ms is null`,
      // Keys of a settlement or a refund in the rollups; null: the rollups lack it.
      sql`alter table ledger_entries add column user_id ${id}`,
      sql`alter table ledger_entries add column api_key_id ${id}`,
      sql`alter table ledger_entries add column model ${text}`,
      sql`alter table ledger_entries add column outcome ${text}`,
      sql`alter table ledger_entries add column video_ms ${integer}`,
      sql`alter table ledger_entries add column duration_ms ${integer}`,
      sql`
        create index ledger_entries_uncounted on ledger_entries (id)
        where kind in ('settlement', 'refund') and model is null`,
      sql`
        create index ledger_entries_counted_by_time on ledger_entries (created_at_ms)
        where kind in ('settlement', 'refund') and model is not null`,
      // Checks leave out rows older than these times, which may have been dropped.
      sql`
        create table usage_retention (
          id ${integer} primary key not null check (id = 1),
          rows_from_ms ${integer} not null,
          hours_from_ms ${integer} not null
        ) ${strict}`,
    ]
  },
  /** Time since which an organization or a user is disabled. */
  '0023-disabling': ({ integer }) => [
    sql`
      alter table organizations add column disabled_at_ms ${integer}
      check (disabled_at_ms between 0 and 9007199254740991)`,
    sql`
      alter table users add column disabled_at_ms ${integer}
      check (disabled_at_ms between 0 and 9007199254740991)`,
  ],
  /** Expiry and allowed models of a key. Null: no expiry, all models. */
  '0024-key-terms': ({ text, integer }) => [
    sql`
      alter table api_keys add column expires_at_ms ${integer}
      check (expires_at_ms between 0 and 9007199254740991)`,
    sql`alter table api_keys add column allowed_models ${text}`,
  ],
  /** Monthly budget of an organization, and the charges in the month of its last charge. */
  '0025-budgets': ({ text, integer }) => [
    sql`
      alter table organizations add column monthly_budget_micros ${integer}
      check (monthly_budget_micros between 0 and 9007199254740991)`,
    sql`
      alter table organizations add column budget_warn_percent ${integer}
      check (budget_warn_percent between 1 and 100)`,
    sql`alter table organizations add column budget_month ${text}`,
    sql`
      alter table organizations add column budget_used_micros ${integer} default 0 not null
      check (budget_used_micros between -9007199254740991 and 9007199254740991)`,
    sql`alter table organizations add column budget_warned_month ${text}`,
    sql`
      create index organizations_with_budget on organizations (id)
      where monthly_budget_micros is not null`,
  ],
  /** Usage row of a refund, and a copy of its day, because the row may be dropped before the entry. */
  '0026-text-refunds': ({ id, text }) => [
    sql`alter table ledger_entries add column usage_id ${id}`,
    sql`alter table ledger_entries add column usage_day ${text}`,
    sql`create index ledger_entries_usage_refunds on ledger_entries (usage_id) where usage_id is not null`,
  ],
  /** Monthly budget of a key, the charges in the month of its last charge, and the holds that it opened. */
  '0027-key-budgets': ({ id, text, integer }) => [
    sql`
      alter table api_keys add column monthly_budget_micros ${integer}
      check (monthly_budget_micros between 0 and 9007199254740991)`,
    sql`alter table api_keys add column budget_month ${text}`,
    sql`
      alter table api_keys add column budget_used_micros ${integer} default 0 not null
      check (budget_used_micros between -9007199254740991 and 9007199254740991)`,
    sql`alter table holds add column api_key_id ${id}`,
    sql`
      create index holds_open_of_key on holds (api_key_id)
      where state = 'open' and api_key_id is not null`,
    sql`create index api_keys_with_budget on api_keys (id) where monthly_budget_micros is not null`,
  ],
  /** Copies that vendors have of erased data, until they are removed. */
  '0028-vendor-removals': ({ id, text, integer, strict }) => [
    sql`
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
      ) ${strict}`,
    sql`create index vendor_removals_due on vendor_removals (provider, due_at_ms)`,
    sql`create index vendor_removals_of_group on vendor_removals (provider, group_ticket)`,
  ],
  /** Indexes by which old rows are dropped. */
  '0029-retention': () => [
    sql`create index video_tasks_by_end on video_tasks (completed_at_ms) where completed_at_ms is not null`,
    sql`
      create index video_tasks_with_content on video_tasks (completed_at_ms)
      where sealed_content is not null`,
    sql`create index audit_events_by_age on audit_events (at_ms) where entry_id is null`,
  ],
  /** Operators with their tokens. The audit log identifies operators by their names, which are unique. */
  '0030-operators': ({ id, text, integer, strict }) => [
    sql`
      create table operators (
        id ${id} primary key not null,
        name ${id} not null unique,
        role ${text} not null check (role in ('viewer', 'operator', 'owner')),
        prefix ${text} not null,
        digest ${id} not null unique,
        created_at_ms ${integer} not null,
        revoked_at_ms ${integer}
      ) ${strict}`,
  ],
  /** Indexes for the pages of one organization, newest first. */
  '0031-pages': () =>
    PAGED.map(
      (table) => sql`create index ${sql.ref(`${table}_paged`)} on ${sql.ref(table)} (organization_id, id)`,
    ),
  /** Requests of operators with an `Idempotency-Key`, with encrypted answers. */
  '0032-admin-requests': ({ id, text, integer, strict }) => [
    sql`
      create table admin_requests (
        id ${id} primary key not null,
        actor ${id} not null,
        key_digest ${id} not null,
        body_digest ${id} not null,
        state ${text} not null check (state in ('claimed', 'done', 'finished')),
        lease_until_ms ${integer} not null,
        expires_at_ms ${integer} not null,
        sealed_answer ${text},
        constraint admin_requests_once unique (actor, key_digest)
      ) ${strict}`,
    sql`create index admin_requests_over on admin_requests (expires_at_ms)`,
  ],
  /** Reports of vendors about a task, at most one row for each status. */
  '0033-task-snapshots': ({ id, text, integer, strict }) => [
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
  ],
  '0034-page-filters': () =>
    Object.entries(INDEXES).map(([name, columns]) => sql`create index ${sql.ref(name)} on ${columns}`),
  /** Sessions of operators in browsers, and links that sign in once. Only digests are stored. */
  '0039-operator-sessions': ({ id, text, integer, strict }) => [
    sql`
      create table operator_sessions (
        digest ${id} primary key not null,
        actor ${id} not null,
        role ${text} not null check (role in ('viewer', 'operator', 'owner')),
        method ${text} not null check (method in ('key', 'token', 'link', 'openid')),
        operator_id ${id} references operators (id),
        binding ${text} not null,
        created_at_ms ${integer} not null,
        expires_at_ms ${integer} not null,
        ends_at_ms ${integer} not null
      ) ${strict}`,
    sql`create index operator_sessions_over on operator_sessions (expires_at_ms)`,
    sql`create index operator_sessions_of on operator_sessions (actor, created_at_ms)`,
    sql`
      create table sign_in_links (
        digest ${id} primary key not null,
        expires_at_ms ${integer} not null
      ) ${strict}`,
  ],
  /** State of a change of the deployment's secret. All columns are null before the first change. */
  '0040-secret-change': ({ text, integer }) => [
    sql`alter table deployment add column sealed_previous ${text}`,
    sql`alter table deployment add column sealed_mark_key ${text}`,
    sql`alter table deployment add column unnamed_secret ${text}`,
    sql`alter table deployment add column switched_at_ms ${integer}`,
  ],
  /** Sums of past days, which have fewer rows than the rollups, and the day up to which they exist. */
  '0042-closed-days': (columns) => [
    ...createSums('usage_rollup_day_model', ['model'], columns),
    ...createSums('usage_rollup_day_key', ['user_id', 'api_key_id'], columns),
    sql`alter table usage_retention add column closed_to_ms ${columns.integer} default 0 not null`,
  ],
}

/** Columns of sums in `0022-usage-rollups` and `0042-closed-days`. */
const COUNTS = [
  ...['requests', 'errors', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'],
  ...['video_ms', 'cost_micros'],
  ...['first_byte_100', 'first_byte_250', 'first_byte_500', 'first_byte_1000', 'first_byte_2500'],
  ...['first_byte_5000', 'first_byte_10000', 'first_byte_more'],
  ...['duration_250', 'duration_1000', 'duration_2500', 'duration_5000', 'duration_15000', 'duration_60000'],
  ...['duration_300000', 'duration_more'],
]

function createRollup(name: string, { id, text, integer, strict }: ColumnTypes): RawBuilder<unknown>[] {
  const counts = COUNTS.map((count) => sql`${sql.ref(count)} ${integer} not null`)
  return [
    sql`
      create table ${sql.ref(name)} (
        organization_id ${id} not null,
        starts_at_ms ${integer} not null,
        user_id ${id} not null,
        api_key_id ${id} not null,
        model ${id} not null,
        outcome ${text} not null,
        ${sql.join(counts)},
        constraint ${sql.ref(`${name}_once`)}
          primary key (organization_id, starts_at_ms, user_id, api_key_id, model, outcome)
      ) ${strict}`,
    sql`create index ${sql.ref(`${name}_by_time`)} on ${sql.ref(name)} (starts_at_ms)`,
  ]
}

const PAGED = ['api_keys', 'video_tasks', 'audit_events', 'assets', 'asset_groups', 'verifications']

/** Indexes for the filters of lists, newest first, without the most common values. */
const INDEXES = {
  video_tasks_by_status: sql`video_tasks (status, id)`,
  video_tasks_of_status: sql`video_tasks (organization_id, status, id)`,
  video_tasks_by_model: sql`video_tasks (model, id)`,
  video_tasks_open: sql`video_tasks (id) where status in ('submitting', 'queued', 'running')`,
  ledger_entries_by_kind: sql`ledger_entries (kind, id) where kind <> 'usage'`,
  ledger_entries_of_kind: sql`ledger_entries (organization_id, kind, id) where kind <> 'usage'`,
  video_callbacks_by_state: sql`video_callbacks (state, task_id)`,
  audit_events_by_actor: sql`audit_events (actor, id)`,
  audit_events_by_action: sql`audit_events (action, id)`,
  audit_events_by_subject: sql`audit_events (subject, id)`,
  assets_by_status: sql`assets (status, id)`,
  assets_of_status: sql`assets (organization_id, status, id)`,
  asset_groups_by_kind: sql`asset_groups (kind, id)`,
}

function createSums(
  name: string,
  keys: readonly string[],
  { id, integer, strict }: ColumnTypes,
): RawBuilder<unknown>[] {
  const columns = [
    ...keys.map((key) => sql`${sql.ref(key)} ${id} not null`),
    ...COUNTS.map((count) => sql`${sql.ref(count)} ${integer} not null`),
  ]
  return [
    sql`
      create table ${sql.ref(name)} (
        starts_at_ms ${integer} not null,
        organization_id ${id} not null,
        ${sql.join(columns)},
        constraint ${sql.ref(`${name}_once`)}
          primary key (starts_at_ms, organization_id, ${sql.join(keys.map((key) => sql.ref(key)))})
      ) ${strict}`,
    sql`create index ${sql.ref(`${name}_of`)} on ${sql.ref(name)} (organization_id, starts_at_ms)`,
  ]
}
