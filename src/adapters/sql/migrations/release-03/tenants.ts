import type { ColumnTypes } from '../../column-types.ts'
import { addColumns } from './add-columns.ts'

/** Adds columns for the used amount that a rotated key passed on to its successor, and the month of that amount. */
export function carriedBudgets({ text, integer }: ColumnTypes) {
  return addColumns('api_keys', `carried_month ${text}\ncarried_micros ${integer} default 0 not null`)
}

export function tenants({ id, text, integer, boolean, no, computed, strict }: ColumnTypes) {
  return `
    ${addColumns(
      'organizations',
      `
      disabled_at_ms ${integer} check (disabled_at_ms between 0 and 9007199254740991)
      monthly_budget_micros ${integer} check (monthly_budget_micros between 0 and 9007199254740991)
      budget_warn_percent ${integer} check (budget_warn_percent between 1 and 100)
      budget_month ${text}
      budget_used_micros ${integer} default 0 not null check (budget_used_micros between -9007199254740991 and 9007199254740991)
      budget_warned_month ${text}
      events_url ${text}
      folded_name ${id} generated always as (lower(name)) ${computed}
      keep_replies ${text} check (keep_replies in ('default', 'asked'))
      low_balance_micros ${integer}
      low_balance_told_at_ms ${integer}
      empty_balance_told_at_ms ${integer}
      keep_media ${text} check (keep_media in ('on', 'off'))
      callback_retries ${text} default 'default' not null check (callback_retries in ('default', 'extended'))
      record_bodies ${text} default 'off' not null check (record_bodies in ('off', 'errors', 'all'))`,
    )};
    create index organizations_with_budget on organizations (id) where monthly_budget_micros is not null;
    create index organizations_by_name on organizations (folded_name, id);

    ${addColumns(
      'users',
      `
      disabled_at_ms ${integer} check (disabled_at_ms between 0 and 9007199254740991)
      erased_at_ms ${integer}`,
    )};

    -- Without an expiry a key stays; without allowed models it has all of them.
    ${addColumns(
      'api_keys',
      `
      expires_at_ms ${integer} check (expires_at_ms between 0 and 9007199254740991)
      allowed_models ${text}
      monthly_budget_micros ${integer} check (monthly_budget_micros between 0 and 9007199254740991)
      budget_month ${text}
      budget_used_micros ${integer} default 0 not null check (budget_used_micros between -9007199254740991 and 9007199254740991)`,
    )};
    create index api_keys_with_budget on api_keys (id) where monthly_budget_micros is not null;
    create index api_keys_expiring on api_keys (expires_at_ms)
      where expires_at_ms is not null and revoked_at_ms is null;
    create index api_keys_paged on api_keys (organization_id, id);

    create index audit_events_by_age on audit_events (at_ms) where entry_id is null;
    create index audit_events_paged on audit_events (organization_id, id);
    create index audit_events_by_actor on audit_events (actor, id);
    create index audit_events_by_action on audit_events (action, id);
    create index audit_events_by_subject on audit_events (subject, id);

    -- All columns are null before the first change of the secret.
    ${addColumns(
      'deployment',
      `
      sealed_previous ${text}
      sealed_mark_key ${text}
      unnamed_secret ${text}
      switched_at_ms ${integer}`,
    )};

    -- The audit log identifies operators by their names, which are unique.
    create table operators (
      id ${id} primary key not null,
      name ${id} not null unique,
      role ${text} not null check (role in ('viewer', 'operator', 'owner')),
      prefix ${text} not null,
      digest ${id} not null unique,
      created_at_ms ${integer} not null,
      revoked_at_ms ${integer}
    ) ${strict};

    -- Sessions of operators in browsers, and links that sign in once. Only digests are stored.
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
    ) ${strict};
    create index operator_sessions_over on operator_sessions (expires_at_ms);
    create index operator_sessions_of on operator_sessions (actor, created_at_ms);
    create table sign_in_links (
      digest ${id} primary key not null,
      expires_at_ms ${integer} not null
    ) ${strict};

    -- Requests of operators with an Idempotency-Key, with encrypted answers.
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
    ) ${strict};
    create index admin_requests_over on admin_requests (expires_at_ms);

    -- Days are YYYY-MM-DD. bounds is JSON of the values that orders of a video model may have.
    ${addColumns(
      'models',
      `
      stand_ins ${text}
      route ${text}
      route_by ${text} check (route_by in ('weight', 'latency', 'price'))
      vendor_prices ${text}
      next_prices ${text}
      prices_taken ${text}
      ends ${text}
      unpublished ${boolean} default ${no} not null
      bounds ${text}
      watermark ${text} check (watermark in ('vendor', 'off', 'client'))`,
    )};
    -- An empty organization_id means all organizations, because a column of a primary key is never null.
    create table model_aliases (
      organization_id ${id} default '' not null,
      alias ${id} not null,
      model ${id} not null,
      created_at_ms ${integer} not null,
      primary key (organization_id, alias)
    ) ${strict};

    -- Providers that operators add while the gateway runs, and the version by which replicas notice a change.
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
    ) ${strict};
    create table provider_changes (id ${integer} primary key not null, version ${integer} not null) ${strict};

    -- Events for operators and organizations. Rows for operators have 'operator' as organization_id, so the column
    -- references no table.
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
    ) ${strict};
    create unique index events_cause on events (organization_id, cause);
    create index events_due on events (organization_id, next_attempt_at_ms) where state = 'pending';
    create index events_organization on events (organization_id, id);
    create index events_created on events (created_at_ms);
    create table provider_outages (
      provider ${id} primary key not null,
      since_ms ${integer} not null,
      seen_at_ms ${integer} not null
    ) ${strict};

    -- Customers whose traffic sluice demo made up.
    create table demo_organizations (organization_id ${id} primary key not null) ${strict}`
}
