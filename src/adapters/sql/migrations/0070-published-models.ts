import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Models that clients do not see. */
export const createPublishedModels: MigrationStep = ({ boolean, no }) => [
  sql`alter table models add column unpublished ${boolean} default ${no} not null`,
]
