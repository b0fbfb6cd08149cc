import { type Kysely, sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import { type AttemptState, vendorCostOf } from '../../../domain/video/hand-over.ts'
import type { HandOver, TaskAttempt } from '../../../ports/task-attempts.ts'
import type { TaskMove, TaskStore } from '../../../ports/tasks.ts'
import { withoutNul } from '../in-chunks.ts'
import type { Tables } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent, toTaskWithContent } from './find-task.ts'
import { findTaskRow } from './find-task-row.ts'

/** One compare-and-set on the number of the attempt decides which of several hands the task over. */
export async function handOverTask(
  db: Kysely<Tables>,
  { task, sentAtMs, ended, next, atMs }: HandOver,
): ReturnType<TaskStore['handOver']> {
  const { rows } = await sql<TaskRowWithContent>`
    update video_tasks set
      provider = ${next.provider}, served_model = ${next.model}, attempt = attempt + 1, attempt_at_ms = ${next.sentAtMs},
      stand_ins = ${JSON.stringify(next.standIns)}, sealed_ticket = null, notice_token_digest = ${next.noticeTokenDigest},
      next_poll_at_ms = ${next.nextPollAtMs}, fence = fence + 1
    where id = ${task.id} and attempt = ${task.attempt} and status in ('submitting', 'queued', 'running')
    returning ${TASK_COLUMNS_WITH_CONTENT}`.execute(db)
  const row = rows[0]
  if (row === undefined) {
    const found = await findTaskRow(db, task.id)
    return found === undefined ? { kind: 'no-task' } : { kind: 'unchanged', task: toTaskWithContent(found) }
  }
  await keepAttempt(db, {
    taskId: task.id,
    number: task.attempt,
    provider: task.provider,
    model: task.servedModel,
    state: ended.state,
    encryptedTicket: task.encryptedTicket,
    beganAtMs: sentAtMs,
    endedAtMs: atMs,
    reason: withoutNul(ended.reason),
    message: ended.message === null ? null : withoutNul(ended.message),
    vendorCostMicros: ended.vendorCostMicros,
  })
  await keepAttempt(db, {
    taskId: task.id,
    number: task.attempt + 1,
    provider: next.provider,
    model: next.model,
    state: 'open',
    encryptedTicket: null,
    beganAtMs: next.sentAtMs,
    endedAtMs: null,
    reason: null,
    message: null,
    vendorCostMicros: null,
  })
  return { kind: 'handed-over', task: toTaskWithContent(row) }
}

/** The row of the first attempt is written when it ends; that of a later one is there already. */
async function keepAttempt(db: Kysely<Tables>, attempt: TaskAttempt & { taskId: string }): Promise<void> {
  await sql`
    insert into task_attempts
      (id, task_id, number, provider, model, state, sealed_ticket, began_at_ms, ended_at_ms, reason, message,
       vendor_cost_micros)
    values
      (${idOf(attempt.taskId, attempt.number)}, ${attempt.taskId}, ${attempt.number}, ${attempt.provider},
       ${attempt.model}, ${attempt.state}, ${attempt.encryptedTicket}, ${attempt.beganAtMs}, ${attempt.endedAtMs},
       ${attempt.reason}, ${attempt.message}, ${attempt.vendorCostMicros})
    on conflict (id) do update set
      state = excluded.state, sealed_ticket = excluded.sealed_ticket, began_at_ms = excluded.began_at_ms,
      ended_at_ms = excluded.ended_at_ms, reason = excluded.reason, message = excluded.message,
      vendor_cost_micros = excluded.vendor_cost_micros`.execute(db)
}

/** The attempt that ends its task. */
export async function endAttempt(
  db: Kysely<Tables>,
  { id, attempt, status, error, measured = {}, atMs }: TaskMove,
): Promise<void> {
  await sql`
    update task_attempts set
      state = ${status}, ended_at_ms = ${atMs}, vendor_cost_micros = ${vendorCostOf(measured)},
      reason = ${error === null ? null : withoutNul(error.code)},
      message = ${error === null ? null : withoutNul(error.message)}
    where id = ${idOf(id, attempt)}`.execute(db)
}

function idOf(taskId: string, number: number): string {
  return `${taskId}.${number}`
}

export async function listTaskAttempts(
  db: Kysely<Tables>,
  { taskId }: { taskId: string },
): Promise<TaskAttempt[]> {
  const rows = await db
    .selectFrom('task_attempts')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    number: row.number,
    provider: row.provider,
    model: row.model,
    state: row.state satisfies AttemptState,
    encryptedTicket: row.sealed_ticket,
    beganAtMs: row.began_at_ms,
    endedAtMs: row.ended_at_ms,
    reason: row.reason,
    message: row.message,
    vendorCostMicros: row.vendor_cost_micros === null ? null : micros(row.vendor_cost_micros),
  }))
}
