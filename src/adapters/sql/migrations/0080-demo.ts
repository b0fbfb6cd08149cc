import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Customers whose traffic `sluice demo` made up. */
export const createDemo: MigrationStep = ({ id, strict }) => [
  sql`create table demo_organizations (organization_id ${id} primary key not null) ${strict}`,
]
