import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

const PAGED = ['api_keys', 'video_tasks', 'audit_events', 'assets', 'asset_groups', 'verifications']

/** Indexes for the pages of one organization, newest first. */
export const createPages: MigrationStep = () =>
  PAGED.map(
    (table) => sql`create index ${sql.ref(`${table}_paged`)} on ${sql.ref(table)} (organization_id, id)`,
  )
