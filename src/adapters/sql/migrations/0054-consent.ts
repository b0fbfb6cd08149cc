import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Revoked consents, and the time since which a task's result is withheld. */
export const createConsent: MigrationStep = ({ id, integer, strict }) => [
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
]
