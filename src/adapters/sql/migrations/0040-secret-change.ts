import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** State of a change of the deployment's secret. All columns are null before the first change. */
export const createSecretChange: MigrationStep = ({ text, integer }) => [
  sql`alter table deployment add column sealed_previous ${text}`,
  sql`alter table deployment add column sealed_mark_key ${text}`,
  sql`alter table deployment add column unnamed_secret ${text}`,
  sql`alter table deployment add column switched_at_ms ${integer}`,
]
