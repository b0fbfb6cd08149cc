import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Which requests of an organization have their bodies recorded, as kept values. */
export const createRecordBodies: MigrationStep = ({ text }) => [
  sql`
    alter table organizations add column record_bodies ${text} default 'off' not null
    check (record_bodies in ('off', 'errors', 'all'))`,
]
