import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

export const createTenants: MigrationStep = ({
  id,
  text,
  integer,
  usd,
  boolean,
  no,
  strict,
  isNumber,
  isBoolean,
}) => [
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
]
