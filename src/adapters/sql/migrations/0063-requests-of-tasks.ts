import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Request ids of create calls, by which tasks are found. Existing tasks have none. */
export const createRequestsOfTasks: MigrationStep = ({ id }) => [
  sql`alter table video_tasks add column request_id ${id}`,
  sql`create index video_tasks_of_requests on video_tasks (request_id) where request_id is not null`,
]
