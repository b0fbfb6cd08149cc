import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Days as `YYYY-MM-DD`: when the prices of a model were taken from its vendor's page, and when the vendor ends it. */
export const createDatesOfModels: MigrationStep = ({ text }) => [
  sql`alter table models add column prices_taken ${text}`,
  sql`alter table models add column ends ${text}`,
]
