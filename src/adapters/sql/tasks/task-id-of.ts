import { type RawBuilder, sql } from 'kysely'

/** The id of a task as a value of SQL, also by the id of the request that made it: the index `video_tasks_of_requests` finds that. */
export function taskIdOf(id: string): RawBuilder<string> {
  return isRequestId(id) ? sql`(select id from video_tasks where request_id = ${id})` : sql`${id}`
}

export function isRequestId(id: string): boolean {
  return id.startsWith('req_')
}
