import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Requests of an organization whose bodies are recorded. The bodies are kept values. */
export const createRecordBodies: MigrationStep = ({ text }) => [
  sql`
    alter table organizations add column record_bodies ${text} default 'off' not null
    check (record_bodies in ('off', 'errors', 'all'))`,
]
