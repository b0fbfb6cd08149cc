import type { ColumnTypes } from '../../column-types.ts'

export function tenants({ id, text, integer, usd, boolean, no, strict, isNumber, isBoolean }: ColumnTypes) {
  return `
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
      constraint organizations_prepaid_covers_holds check (billing <> 'prepaid' or balance_micros >= held_micros)
    ) ${strict};

    -- The table is not strict, because strict tables of SQLite have no decimal type, and operators compare and
    -- set the limit as a number. SQLite stores fractions in binary: far beyond this limit the sixth decimal
    -- would not be exact.
    create table users (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      name ${text} not null,
      max_daily_user_limit ${usd}
        check (${isNumber('max_daily_user_limit')} and max_daily_user_limit between -1000000000 and 1000000000),
      enable_limit ${boolean} default ${no} not null check (${isBoolean('enable_limit')}),
      created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991),
      constraint users_of_organization unique (organization_id, id)
    );

    -- The pair of columns keeps a key's user in the key's organization. The keys of a deleted user are deleted.
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
      constraint api_keys_user_of_organization foreign key (organization_id, user_id)
        references users (organization_id, id) on delete cascade
    ) ${strict};
    create index api_keys_by_user on api_keys (organization_id, user_id);

    -- One row. sealed is a known text, encrypted with the secret; it shows that a process has the secret of
    -- this store. The readiness probe writes probed_at_ms.
    create table deployment (
      id ${integer} primary key not null,
      sealed ${text} not null,
      probed_at_ms ${integer} not null
    ) ${strict};

    -- Ids are no references, because an audit row stays when other rows are deleted.
    create table audit_events (
      id ${id} primary key not null,
      at_ms ${integer} not null,
      actor ${text} not null,
      action ${text} not null,
      organization_id ${id},
      subject ${text} not null,
      detail ${text} not null,
      entry_id ${id},
      amount_micros ${integer}
    ) ${strict};
    create index audit_events_of_entry on audit_events (entry_id) where entry_id is not null;

    -- Claims of text requests with an Idempotency-Key.
    create table request_claims (
      api_key_id ${id} not null,
      key_digest ${id} not null,
      id ${id} not null unique,
      body_digest ${id} not null,
      state ${text} not null check (state in ('claimed', 'finished')),
      lease_until_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      constraint request_claims_once primary key (api_key_id, key_digest)
    ) ${strict};
    create index request_claims_over on request_claims (expires_at_ms);

    -- Vendor ids that organizations got from an account that they share.
    create table vendor_ids (
      digest ${id} not null,
      organization_id ${id} not null,
      expires_at_ms ${integer} not null,
      constraint vendor_ids_once primary key (digest, organization_id)
    ) ${strict};
    create index vendor_ids_expiry on vendor_ids (expires_at_ms)`
}
