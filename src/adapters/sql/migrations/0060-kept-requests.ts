import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Encrypted request for a stand-in; null for a task without stand-ins. */
export const createKeptRequests: MigrationStep = ({ text }) => [
  sql`alter table video_tasks add column sealed_request ${text}`,
]
