import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Days as `YYYY-MM-DD`: when the prices were taken from the vendor, and when it ends the model. */
export const createDatesOfModels: MigrationStep = ({ text }) => [
  sql`alter table models add column prices_taken ${text}`,
  sql`alter table models add column ends ${text}`,
]
