import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Columns of a verification before and after its end. */
export const createVerificationEnds: MigrationStep = ({ text }) => [
  // A new column replaces the old one: SQLite cannot remove a `not null`.
  sql`alter table verifications add column open_token ${text}`,
  sql`update verifications set open_token = sealed_token where sealed_redirect is null`,
  sql`alter table verifications drop column sealed_token`,
  sql`alter table verifications rename column open_token to sealed_token`,
  // Null: the page uses the language of the browser.
  sql`alter table verifications add column language ${text}`,
  sql`create index verifications_over on verifications (expires_at_ms)`,
]
