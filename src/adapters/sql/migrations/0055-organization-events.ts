import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Events for an organization's own address, such as a revoked consent. */
export const createOrganizationEvents: MigrationStep = ({ id, text, integer, strict }) => [
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
]
