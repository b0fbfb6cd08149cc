import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Columns of a verification until its end and after it. */
export const createVerificationEnds: MigrationStep = ({ text }) => [
  // A new column replaces the old one: SQLite cannot remove a `not null`.
  sql`alter table verifications add column open_token ${text}`,
  sql`update verifications set open_token = sealed_token where sealed_redirect is null`,
  sql`alter table verifications drop column sealed_token`,
  sql`alter table verifications rename column open_token to sealed_token`,
  // Earlier verifications use the language of their browser.
  sql`alter table verifications add column language ${text}`,
  sql`create index verifications_over on verifications (expires_at_ms)`,
]
