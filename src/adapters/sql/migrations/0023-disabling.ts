import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Time since which an organization or a user is disabled. */
export const createDisabling: MigrationStep = ({ integer }) => [
  sql`
    alter table organizations add column disabled_at_ms ${integer}
    check (disabled_at_ms between 0 and 9007199254740991)`,
  sql`
    alter table users add column disabled_at_ms ${integer}
    check (disabled_at_ms between 0 and 9007199254740991)`,
]
