import { type RawBuilder, sql } from 'kysely'

/** Returns the SQL value of a task's id, by the task's id or by the id of its create request. */
export function taskIdOf(id: string): RawBuilder<string> {
  return isRequestId(id) ? sql`(select id from video_tasks where request_id = ${id})` : sql`${id}`
}

export function isRequestId(id: string): boolean {
  return id.startsWith('req_')
}
