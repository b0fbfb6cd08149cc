import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** People who revoked their consent, and the tasks whose results are withheld because of it. */
export const createConsent: MigrationStep = ({ id, integer, strict }) => [
  // The group itself is deleted, but its link must still show the revocation.
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
