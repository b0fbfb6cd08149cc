import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Models to try instead of a model. */
export const createFallbacks: MigrationStep = ({ text }) => [
  sql`alter table models add column fallbacks ${text}`,
]
