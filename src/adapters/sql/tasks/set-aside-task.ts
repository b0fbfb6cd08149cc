import { sql } from 'kysely'
import type { EventData } from '../../../domain/events/event.ts'
import type { TaskStore } from '../../../ports/tasks.ts'
import { insertAudit } from '../audit/audits.ts'
import { insertEventsOf } from '../events/insert-events.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import { taskIdOf } from './task-id-of.ts'

export const SET_ASIDE_TASK = {
  /** Makes sweeps ignore the task. A `GET` request or a notice of the vendor still updates it. */
  setAside: write(async (db, { id, atMs }) => {
    const { rows } = await sql<EventData['task.set_aside']>`
      update video_tasks set set_aside_at_ms = ${atMs}
      where id = ${id} and status in ('submitting', 'queued', 'running')
      returning organization_id, id as task_id`.execute(db)
    await insertEventsOf(db, 'task.set_aside', rows, { atMs, occasionOf: () => `${id}:${atMs}` })
  }),

  /** Returns undefined when the task does not exist or was not set aside. */
  resume: write(async (db, { id, atMs }, audit) => {
    const { rows } = await sql<{ id: string; organization_id: string }>`
      update video_tasks set set_aside_at_ms = null, next_poll_at_ms = ${atMs}, fence = fence + 1
      where id = ${taskIdOf(id)} and set_aside_at_ms is not null returning id, organization_id`.execute(db)
    const [task] = rows
    if (task !== undefined && audit !== undefined)
      await insertAudit(db, { ...audit, organizationId: task.organization_id, subject: task.id })
    return task?.id
  }),

  countSetAside: read(async (db) => {
    const { rows } = await sql<{ count: number | string }>`
      select count(*) as count from video_tasks
      where set_aside_at_ms is not null and status in ('submitting', 'queued', 'running')`.execute(db)
    return Number(rows[0]?.count ?? 0)
  }),
} satisfies Partial<StatementsOf<TaskStore>>
