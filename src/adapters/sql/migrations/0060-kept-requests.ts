import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Request for a stand-in when an earlier vendor has failed a task; null for a task without stand-ins. */
export const createKeptRequests: MigrationStep = ({ text }) => [
  sql`alter table video_tasks add column sealed_request ${text}`,
]
