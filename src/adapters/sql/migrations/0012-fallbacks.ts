import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Models that a failed request falls back to. */
export const createFallbacks: MigrationStep = ({ text }) => [
  sql`alter table models add column fallbacks ${text}`,
]
