import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** A model may be served by the providers of other rows. */
export const createRoutes: MigrationStep = ({ text }) => [
  sql`alter table models add column route ${text}`,
  sql`alter table models add column route_by ${text} check (route_by in ('weight', 'latency', 'price'))`,
]
