import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Clients do not see an unpublished model. */
export const createPublishedModels: MigrationStep = ({ boolean, no }) => [
  sql`alter table models add column unpublished ${boolean} default ${no} not null`,
]
