import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Routes of models that the providers of other rows serve. */
export const createRoutes: MigrationStep = ({ text }) => [
  sql`alter table models add column route ${text}`,
  sql`alter table models add column route_by ${text} check (route_by in ('weight', 'latency', 'price'))`,
]
