import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/**
 * Events for operators and organizations. Rows of operators have `operator` as organization, so the column
 * is no reference. `organization_events` stays for replicas of the version before.
 */
export const createEvents: MigrationStep = ({ id, text, integer, strict }) => [
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
]
