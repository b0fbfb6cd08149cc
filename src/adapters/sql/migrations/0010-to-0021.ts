import { type Kysely, sql } from 'kysely'
import type { MigrationSteps } from '../migration-step.ts'

export const MIGRATIONS: MigrationSteps = {
  '0010-assets': ({ id, text, integer, strict }) => [
    sql`
      create table asset_groups (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        kind ${text} not null check (kind in ('default', 'person')),
        provider ${id} not null,
        ticket ${id} not null,
        created_at_ms ${integer} not null
      ) ${strict}`,
    sql`
      create unique index asset_groups_one_default on asset_groups (organization_id, provider)
      where kind = 'default'`,
    sql`
      create unique index asset_groups_one_of_a_person on asset_groups (organization_id, provider, ticket)
      where kind = 'person'`,
    sql`
      create table default_group_claims (
        organization_id ${id} not null references organizations (id),
        provider ${id} not null,
        lease_until_ms ${integer} not null,
        constraint default_group_claims_once primary key (organization_id, provider)
      ) ${strict}`,
    sql`
      create table assets (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        group_id ${id} not null references asset_groups (id),
        group_kind ${text} not null,
        provider ${id} not null,
        type ${text} not null check (type in ('Image', 'Video', 'Audio')),
        name ${text},
        folded_name ${id},
        status ${text} not null check (status in ('processing', 'active', 'failed')),
        ticket ${id} not null,
        sealed_url ${text},
        url_at_ms ${integer},
        error_code ${text},
        error_message ${text},
        created_at_ms ${integer} not null,
        updated_at_ms ${integer} not null,
        next_poll_at_ms ${integer} not null,
        fence ${integer} default 0 not null
      ) ${strict}`,
    sql`
      create index assets_created on assets (organization_id, group_id, created_at_ms, id, status, folded_name)`,
    sql`
      create index assets_of_status_created on assets (organization_id, group_id, status, created_at_ms, id)`,
    sql`
      create index assets_updated on assets (organization_id, group_id, updated_at_ms, id, status, folded_name)`,
    sql`
      create index assets_of_status_updated on assets (organization_id, group_id, status, updated_at_ms, id)`,
    sql`create index assets_due on assets (provider, next_poll_at_ms) where status = 'processing'`,
    // Counts for pages: counting 200,000 rows takes longer than reading a page.
    sql`
      create table asset_counts (
        organization_id ${id} not null,
        group_id ${id} not null references asset_groups (id),
        status ${text} not null,
        assets ${integer} not null check (assets >= 0),
        constraint asset_counts_once primary key (organization_id, group_id, status)
      ) ${strict}`,
    sql`
      create table verifications (
        id ${id} primary key not null,
        organization_id ${id} not null references organizations (id),
        provider ${id} not null,
        state_digest ${id} not null unique,
        sealed_token ${text} not null,
        sealed_callback_url ${text} not null,
        created_at_ms ${integer} not null,
        expires_at_ms ${integer} not null,
        exchanged_at_ms ${integer},
        sealed_redirect ${text},
        ended_at_ms ${integer}
      ) ${strict}`,
  ],
  /** Columns of a verification before and after its end. */
  '0011-verification-ends': ({ text }) => [
    // A new column replaces the old one: SQLite cannot remove a `not null`.
    sql`alter table verifications add column open_token ${text}`,
    sql`update verifications set open_token = sealed_token where sealed_redirect is null`,
    sql`alter table verifications drop column sealed_token`,
    sql`alter table verifications rename column open_token to sealed_token`,
    // Null: the page uses the language of the browser.
    sql`alter table verifications add column language ${text}`,
    sql`create index verifications_over on verifications (expires_at_ms)`,
  ],
  /** Models that a failed request falls back to. */
  '0012-fallbacks': ({ text }) => [sql`alter table models add column fallbacks ${text}`],
  /** Claims of text requests with an `Idempotency-Key`. */
  '0013-request-claims': ({ id, text, integer, strict }) => [
    sql`
      create table request_claims (
        api_key_id ${id} not null,
        key_digest ${id} not null,
        id ${id} not null unique,
        body_digest ${id} not null,
        state ${text} not null check (state in ('claimed', 'finished')),
        lease_until_ms ${integer} not null,
        expires_at_ms ${integer} not null,
        constraint request_claims_once primary key (api_key_id, key_digest)
      ) ${strict}`,
    sql`create index request_claims_over on request_claims (expires_at_ms)`,
  ],
  /** Maximum input of a model, which a request reserves when its input cannot be counted. */
  '0014-context-tokens': ({ integer }) => [
    sql`
      alter table models add column context_tokens ${integer}
      check (context_tokens between 1 and 2147483647)`,
  ],
  /** Prices of options that make a request dearer. A usage row keeps the prices that applied. */
  '0015-surcharges': ({ text, integer, isNumber, hasSixDecimals }) => [
    // SQLite cannot change a check, so the table is created again under another name. `price` is in US dollars for a second, a call or
    // a million tokens, or a factor.
    sql`
      create table model_prices_widened (
        model_id integer not null references models (model_id) on delete cascade,
        unit ${text} not null
          check (unit in ('video_token', 'second', 'input_token', 'cached_input_token', 'cache_write_token', 'long_cache_write_token', 'output_token', 'web_search_call', 'file_search_call', 'image_generation_call', 'code_session', 'priority_tier', 'fast_speed', 'flex_tier', 'regional_inference', 'long_context_input', 'long_context_output')),
        resolution ${text} default '*' not null,
        video_input ${text} default '*' not null check (video_input in ('*', 'true', 'false')),
        audio ${text} default '*' not null check (audio in ('*', 'true', 'false')),
        price numeric not null
          check (${isNumber('price')} and price between 0 and 1000000 and ${hasSixDecimals('price')}),
        constraint model_prices_widened_once primary key (model_id, unit, resolution, video_input, audio)
      )`,
    sql`
      insert into model_prices_widened (model_id, unit, resolution, video_input, audio, price)
      select model_id, unit, resolution, video_input, audio, price from model_prices`,
    sql`drop table model_prices`,
    sql`alter table model_prices_widened rename to model_prices`,
    sql`
      alter table models add column fallback_price ${text}
      check (fallback_price in ('lower', 'asked', 'served'))`,
    sql`
      alter table models add column long_context_tokens ${integer}
      check (long_context_tokens between 1 and 2147483647)`,
    sql`alter table text_usage add column asked_model ${text}`,
    sql`alter table text_usage add column price_lines ${text}`,
  ],
  /** Values by which the check computes charges again, and finds audit rows of credits and refunds. */
  '0016-ledger-proof': ({ id, text, integer, decimal }) => [
    // Null in earlier settlements.
    sql`
      alter table ledger_entries add column cost_unit ${text}
      check (cost_unit in ('video_token', 'second', 'credit'))`,
    sql`alter table ledger_entries add column cost_quantity ${decimal}`,
    sql`alter table ledger_entries add column cost_price_micros ${integer}`,
    // A hold may have several refunds, one after another by its lock.
    sql`alter table ledger_entries add column day_version ${integer}`,
    sql`drop index ledger_entries_refund_once`,
    sql`create index ledger_entries_refunds on ledger_entries (hold_id) where kind = 'refund'`,
    sql`create index ledger_entries_refunds_by_time on ledger_entries (created_at_ms) where kind = 'refund'`,
    sql`alter table audit_events add column entry_id ${id}`,
    sql`alter table audit_events add column amount_micros ${integer}`,
    linkAudits,
    sql`create index audit_events_of_entry on audit_events (entry_id) where entry_id is not null`,
    // Refunds of earlier versions did not lower the day.
    sql`
      update user_days set used_micros = used_micros - (${REFUNDS}), version = version + 1
      where (${REFUNDS}) is not null`,
  ],
  /** Indexes by which a claim finds the organizations with due rows, and the oldest rows of each. */
  '0017-fair-claims': ({ integer }) => [
    sql`alter table video_tasks add column set_aside_at_ms ${integer}`,
    sql`drop index video_tasks_due`,
    sql`drop index video_callbacks_due`,
    sql`drop index assets_due`,
    sql`
      create index video_tasks_due on video_tasks (provider, organization_id, next_poll_at_ms)
      where status in ('submitting', 'queued', 'running') and set_aside_at_ms is null`,
    sql`
      create index video_tasks_set_aside on video_tasks (set_aside_at_ms)
      where set_aside_at_ms is not null`,
    sql`
      create index video_callbacks_due on video_callbacks (organization_id, next_attempt_at_ms)
      where state = 'pending'`,
    sql`
      create index assets_due on assets (provider, organization_id, next_poll_at_ms)
      where status = 'processing'`,
  ],
  /** Vendor ids that organizations got from an account that they share. */
  '0019-vendor-ids': ({ id, integer, strict }) => [
    sql`
      create table vendor_ids (
        digest ${id} not null,
        organization_id ${id} not null,
        expires_at_ms ${integer} not null,
        constraint vendor_ids_once primary key (digest, organization_id)
      ) ${strict}`,
    sql`create index vendor_ids_expiry on vendor_ids (expires_at_ms)`,
  ],
  /**
   * One row for the deployment. `sealed` is a known text, encrypted with the secret; it shows that a process
   * has the secret of this store. The readiness probe writes `probed_at_ms`.
   */
  '0020-deployment': ({ text, integer, strict }) => [
    sql`
      create table deployment (
        id ${integer} primary key not null,
        sealed ${text} not null,
        probed_at_ms ${integer} not null
      ) ${strict}`,
  ],
  /** Video model whose rules a model has, under another name, provider and price. */
  '0021-like-model': ({ text }) => [sql`alter table models add column like_model ${text}`],
}

const REFUNDS = sql`
  select sum(ledger_entries.amount_micros) from ledger_entries join holds on holds.id = ledger_entries.hold_id
  where ledger_entries.kind = 'refund' and holds.user_id = user_days.user_id and holds.day = user_days.day`

interface OldAudit {
  id: string
  action: string
  organization_id: string | null
  detail: string
}

/** Earlier audit rows name their entry in their detail, except the first credit of a demo. */
async function linkAudits(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldAudit>`
      select id, action, organization_id, detail from audit_events
      where action in ('credit.add', 'ledger.refund', 'demo.create') and id > ${after}
      order by id limit 500`.execute(db)
    for (const row of rows) await linkAudit(db, row)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
}

async function linkAudit(
  db: Kysely<unknown>,
  { id, action, organization_id, detail }: OldAudit,
): Promise<void> {
  const { entry_id, amount_micros, credit_micros } = JSON.parse(detail)
  if (action === 'demo.create') {
    await sql`
      update audit_events set amount_micros = ${credit_micros}, entry_id = (
        select min(id) from ledger_entries where kind = 'credit' and organization_id = ${organization_id}
      ) where id = ${id}`.execute(db)
  } else if (typeof entry_id === 'string' && typeof amount_micros === 'number') {
    await sql`
      update audit_events set entry_id = ${entry_id}, amount_micros = ${amount_micros}
      where id = ${id}`.execute(db)
  }
}
