import { sql } from 'kysely'
import type { MigrationSteps } from '../migration-step.ts'

export const MIGRATIONS: MigrationSteps = {
  /**
   * Events for operators and organizations. Rows of operators have `operator` as organization, so the column
   * is no reference. `organization_events` stays for replicas of the version before.
   */
  '0071-events': ({ id, text, integer, strict }) => [
    sql`
      create table events (
        id ${id} primary key not null,
        organization_id ${id} not null,
        type ${text} not null,
        cause ${text} not null,
        data ${text} not null,
        created_at_ms ${integer} not null,
        state ${text} not null check (state in ('pending', 'delivered', 'given-up')),
        attempt_count ${integer} default 0 not null,
        attempts_allowed ${integer} not null,
        next_attempt_at_ms ${integer} not null,
        fence ${integer} default 0 not null,
        last_attempt_at_ms ${integer},
        last_status ${integer},
        last_error ${text}
      ) ${strict}`,
    sql`create unique index events_cause on events (organization_id, cause)`,
    sql`create index events_due on events (organization_id, next_attempt_at_ms) where state = 'pending'`,
    sql`create index events_organization on events (organization_id, id)`,
    sql`create index events_created on events (created_at_ms)`,
    sql`
      create table provider_outages (
        provider ${id} primary key not null,
        since_ms ${integer} not null,
        seen_at_ms ${integer} not null
      ) ${strict}`,
    sql`alter table organizations add column low_balance_micros ${integer}`,
    sql`alter table organizations add column low_balance_told_at_ms ${integer}`,
    sql`alter table organizations add column empty_balance_told_at_ms ${integer}`,
    sql`
      create index api_keys_expiring on api_keys (expires_at_ms)
      where expires_at_ms is not null and revoked_at_ms is null`,
  ],
  /** Terms of a video model: JSON of the values that its orders may have, and who decides about the vendor's mark. */
  '0072-video-terms': ({ text }) => [
    sql`alter table models add column bounds ${text}`,
    sql`alter table models add column watermark ${text} check (watermark in ('vendor', 'off', 'client'))`,
  ],
  /** Copies of finished videos. A row outlives task and file, because its hash proves an origin. */
  '0073-clips': ({ id, text, integer, boolean, no, strict }) => [
    sql`
      create table clips (
        id ${id} primary key not null,
        task_id ${id} not null,
        organization_id ${id} not null,
        api_key_id ${id} not null,
        provider ${id} not null,
        model ${id} not null,
        kind ${text} not null check (kind in ('video', 'last_frame')),
        state ${text} not null check (state in ('copying', 'kept', 'given-up', 'erased')),
        reason ${text},
        consent ${text} not null check (consent in ('none', 'given', 'withdrawn')),
        created_at_ms ${integer} not null,
        sha256 ${id},
        source_sha256 ${id},
        bytes ${integer},
        media_type ${text},
        duration_ms ${integer},
        width ${integer},
        height ${integer},
        watermark ${boolean},
        marks ${text},
        store_key ${text},
        kept_at_ms ${integer},
        kept_until_ms ${integer},
        owes_receipt ${boolean} default ${no} not null,
        attempt_count ${integer} default 0 not null,
        attempts_allowed ${integer} not null,
        next_attempt_at_ms ${integer} not null,
        fence ${integer} default 0 not null,
        constraint clips_of_task unique (task_id, kind)
      ) ${strict}`,
    sql`create index clips_due on clips (organization_id, next_attempt_at_ms) where state = 'copying'`,
    sql`create index clips_leaving on clips (kept_until_ms) where state = 'kept'`,
    sql`
      create index clips_with_files on clips (next_attempt_at_ms)
      where state in ('given-up', 'erased') and store_key is not null`,
    sql`create index clips_kept on clips (organization_id, bytes) where state = 'kept'`,
    sql`create index clips_by_hash on clips (sha256) where sha256 is not null`,
    sql`create index clips_by_source on clips (source_sha256) where source_sha256 is not null`,
    sql`create index clips_owing_receipts on clips (id) where owes_receipt`,
    sql`create index clips_paged on clips (organization_id, id)`,
    sql`
      alter table organizations add column keep_media ${text}
      check (keep_media in ('on', 'off'))`,
    sql`alter table revocations add column files ${text}`,
  ],
  /** Retries of callbacks for a day. Null: the three attempts of earlier callbacks. */
  '0075-callback-retries': ({ text, integer }) => [
    sql`
      alter table organizations add column callback_retries ${text} default 'default' not null
      check (callback_retries in ('default', 'extended'))`,
    sql`alter table video_callbacks add column retry_until_ms ${integer}`,
  ],
  /** Which requests of an organization have their bodies recorded, as kept values. */
  '0077-record-bodies': ({ text }) => [
    sql`
      alter table organizations add column record_bodies ${text} default 'off' not null
      check (record_bodies in ('off', 'errors', 'all'))`,
  ],
  /** Customers whose traffic `sluice demo` made up. */
  '0080-demo': ({ id, strict }) => [
    sql`create table demo_organizations (organization_id ${id} primary key not null) ${strict}`,
  ],
}
