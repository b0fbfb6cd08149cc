import { sql } from 'kysely'
import type { MigrationSteps } from '../migration-step.ts'

export const MIGRATIONS: MigrationSteps = {
  '0001-tenants': ({ id, text, integer, usd, boolean, no, strict, isNumber, isBoolean }) => [
    sql`
      create table organizations (
        id ${id} primary key not null,
        name ${text} not null,
        billing ${text} not null check (billing in ('prepaid', 'postpaid')),
        balance_micros ${integer} default 0 not null
          check (balance_micros between -9007199254740991 and 9007199254740991),
        held_micros ${integer} default 0 not null check (held_micros between 0 and 9007199254740991),
        requests_per_minute ${integer} check (requests_per_minute between 0 and 10000000),
        webhook_secret ${text} not null,
        previous_webhook_secret ${text},
        previous_webhook_secret_until_ms ${integer}
          check (previous_webhook_secret_until_ms between 0 and 9007199254740991),
        created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991),
        constraint organizations_prepaid_covers_holds
          check (billing <> 'prepaid' or balance_micros >= held_micros)
      ) ${strict}`,
    // The table is not strict, because strict tables of SQLite have no decimal type, and operators compare and
    // set the limit as a number. SQLite stores fractions in binary: far beyond this limit the sixth decimal
    // would not be exact.
    sql`
      create table users (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        name ${text} not null,
        max_daily_user_limit ${usd}
          check (${isNumber('max_daily_user_limit')} and max_daily_user_limit between -1000000000 and 1000000000),
        enable_limit ${boolean} default ${no} not null check (${isBoolean('enable_limit')}),
        created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991),
        constraint users_of_organization unique (organization_id, id)
      )`,
    // The pair of columns keeps a key's user in the key's organization. The keys of a deleted user are deleted.
    sql`
      create table api_keys (
        id ${id} primary key not null,
        organization_id ${id} not null,
        user_id ${id} not null,
        name ${text} not null,
        prefix ${text} not null,
        digest ${id} not null unique,
        requests_per_minute ${integer} check (requests_per_minute between 0 and 10000000),
        created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991),
        revoked_at_ms ${integer} check (revoked_at_ms between 0 and 9007199254740991),
        constraint api_keys_user_of_organization foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
      ) ${strict}`,
    sql`create index api_keys_by_user on api_keys (organization_id, user_id)`,
  ],
  '0002-models': ({ text, integer, strict }) => [
    sql`
      create table models (
        model_id integer primary key not null check (model_id between 1 and 2147483647),
        name ${text} not null unique,
        endpoints ${text},
        max_output_tokens ${integer} check (max_output_tokens between 1 and 2147483647),
        created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991)
      ) ${strict}`,
  ],
  /** Key and user are no references, because a task is kept longer than they are; the ledger refers to it. */
  '0003-video-tasks': ({ id, text, integer, strict }) => [
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
  ],
  /** Operators read and change these rows by hand, so `*` stands for any value of an attribute. */
  '0004-prices': ({ text, isNumber, hasSixDecimals }) => [
    // US dollars for a second or a million tokens. A type that rounds would make the smallest prices free.
    sql`
      create table model_prices (
        model_id integer not null references models (model_id) on delete cascade,
        unit ${text} not null
          check (unit in ('video_token', 'second', 'input_token', 'cached_input_token', 'cache_write_token', 'output_token')),
        resolution ${text} default '*' not null,
        video_input ${text} default '*' not null check (video_input in ('*', 'true', 'false')),
        audio ${text} default '*' not null check (audio in ('*', 'true', 'false')),
        price numeric not null
          check (${isNumber('price')} and price between 0 and 1000000 and ${hasSixDecimals('price')}),
        constraint model_prices_once primary key (model_id, unit, resolution, video_input, audio)
      )`,
  ],
  /** Users and tasks are no references, because the ledger is kept longer than they are. */
  '0005-ledger': ({ id, text, integer, strict }) => [
    sql`
      create table holds (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        kind ${text} not null check (kind in ('task', 'allowance')),
        user_id ${id},
        day ${text},
        task_id ${id} unique,
        amount_micros ${integer} not null check (amount_micros between 0 and 9007199254740991),
        state ${text} not null check (state in ('open', 'settled', 'released', 'expired')),
        created_at_ms ${integer} not null,
        expires_at_ms ${integer} not null,
        ended_at_ms ${integer},
        constraint holds_end_once check ((state = 'open') = (ended_at_ms is null))
      ) ${strict}`,
    sql`create index holds_open on holds (expires_at_ms) where state = 'open'`,
    sql`create index holds_open_of_organization on holds (organization_id) where state = 'open'`,
    // The two unique indexes prevent charging or refunding a hold twice.
    sql`
      create table ledger_entries (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        kind ${text} not null check (kind in ('credit', 'settlement', 'usage', 'refund')),
        amount_micros ${integer} not null
          check (amount_micros between -9007199254740991 and 9007199254740991),
        loss_micros ${integer} default 0 not null check (loss_micros between 0 and 9007199254740991),
        hold_id ${id} references holds (id),
        note ${text},
        created_at_ms ${integer} not null
      ) ${strict}`,
    sql`
      create unique index ledger_entries_settle_once on ledger_entries (hold_id)
      where kind = 'settlement'`,
    sql`create unique index ledger_entries_refund_once on ledger_entries (hold_id) where kind = 'refund'`,
    sql`create index ledger_entries_of_organization on ledger_entries (organization_id, id)`,
    // Sum of each user's day, from which a lost cache is rebuilt.
    sql`
      create table user_days (
        user_id ${id} not null,
        day ${text} not null,
        used_micros ${integer} not null,
        version ${integer} not null,
        constraint user_days_once primary key (user_id, day)
      ) ${strict}`,
  ],
  /** One row per text request. Rows that were written together have one ledger entry. */
  '0006-usage': ({ id, text, integer, strict }) => [
    sql`
      create table text_usage (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        user_id ${id} not null,
        api_key_id ${id} not null,
        model ${text} not null,
        day ${text} not null,
        input_tokens ${integer} not null check (input_tokens >= 0),
        cached_input_tokens ${integer} not null check (cached_input_tokens >= 0),
        cache_write_tokens ${integer} not null check (cache_write_tokens >= 0),
        output_tokens ${integer} not null check (output_tokens >= 0),
        cost_micros ${integer} not null check (cost_micros >= 0),
        outcome ${text} not null check (outcome in ('completed', 'failed', 'hung-up')),
        first_byte_ms ${integer},
        duration_ms ${integer} not null,
        losses ${text},
        entry_id ${id} not null,
        created_at_ms ${integer} not null
      ) ${strict}`,
    sql`create index text_usage_of_entry on text_usage (entry_id)`,
  ],
  /** Ids are no references, because an audit row stays when other rows are deleted. */
  '0007-audit': ({ id, text, integer, strict }) => [
    sql`
      create table audit_events (
        id ${id} primary key not null,
        at_ms ${integer} not null,
        actor ${text} not null,
        action ${text} not null,
        organization_id ${id},
        subject ${text} not null,
        detail ${text} not null
      ) ${strict}`,
  ],
  /** `owes_callback` is set at the creation of a task, because a task with a `callback_url` may owe none. */
  '0008-callbacks': ({ id, text, integer, boolean, no, strict }) => [
    sql`alter table video_tasks add column callback_url ${text}`,
    sql`alter table video_tasks add column owes_callback ${boolean} default ${no} not null`,
    sql`
      create table video_callbacks (
        id ${id} primary key not null,
        task_id ${id} not null unique references video_tasks (id),
        created_at_ms ${integer} not null
      ) ${strict}`,
  ],
  /**
   * Columns that a task needs until its end. The engines require a default for a new column that is not null;
   * no row has one, because no earlier program wrote tasks or callbacks.
   */
  '0009-video-work': ({ id, text, integer, strict }) => [
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
  ],
}
