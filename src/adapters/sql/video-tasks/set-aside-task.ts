import { type Kysely, sql } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import { insertAudit } from '../audits.ts'
import type { Tables } from '../tables.ts'
import { taskIdOf } from './task-id-of.ts'

/** Sweeps leave it alone from now on; Get and notices do not. */
export async function setAsideTask(
  db: Kysely<Tables>,
  { id, atMs }: { id: string; atMs: number },
): Promise<void> {
  await sql`
    update video_tasks set set_aside_at_ms = ${atMs}
    where id = ${id} and status in ('submitting', 'queued', 'running')`.execute(db)
}

/** Undefined when there is no such task, or when it is not set aside. */
export async function resumeTask(
  db: Kysely<Tables>,
  { id, atMs, audit }: { id: string; atMs: number; audit?: NewAudit | undefined },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    update video_tasks set set_aside_at_ms = null, next_poll_at_ms = ${atMs}, fence = fence + 1
    where id = ${taskIdOf(id)} and set_aside_at_ms is not null returning id, organization_id`.execute(db)
  const [task] = rows
  if (task !== undefined && audit !== undefined)
    await insertAudit(db, { ...audit, organizationId: task.organization_id, subject: task.id })
  return task?.id
}

export async function countTasksSetAside(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as count from video_tasks
    where set_aside_at_ms is not null and status in ('submitting', 'queued', 'running')`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
