import { sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import { vendorCostOf } from '../../../domain/video/hand-over.ts'
import type { AttemptStart, HandOver, TaskAttempt } from '../../../ports/task-attempts.ts'
import type { TaskMove, TaskStore } from '../../../ports/tasks.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { withoutNul } from '../in-chunks.ts'
import { read, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent, toTaskWithContent } from './find-task.ts'
import { findTaskRow } from './find-task-row.ts'

export const HAND_OVER_TASK = {
  handOver: write(handOverTask),
  startAttempt: write(startTaskAttempt),
  findRequest: read(async (db, id) => {
    const { rows } = await sql<{ sealed_request: string | null }>`
      select sealed_request from video_tasks where id = ${id}`.execute(db)
    return rows[0]?.sealed_request ?? undefined
  }),

  listAttempts: read(async (db, taskId) => {
    const { rows } = await sql<NamedRow<typeof ATTEMPT_COLUMNS>>`
      select ${ATTEMPT_COLUMNS} from task_attempts where task_id = ${taskId}
      order by task_attempts.number`.execute(db)
    return rows.map(({ vendorCostMicros, ...row }) => ({
      ...row,
      vendorCostMicros: vendorCostMicros === null ? null : micros(vendorCostMicros),
    }))
  }),
} satisfies Partial<StatementsOf<TaskStore>>

const ATTEMPT_COLUMNS = columnsAs(
  'task_attempts',
  ['number', 'provider', 'model', 'state', 'beganAtMs', 'endedAtMs', 'reason', 'message', 'vendorCostMicros'],
  { encryptedTicket: 'sealed_ticket' },
)

/**
 * Hands a task over to a stand-in. Only one of several simultaneous calls does so (`attempt = task.attempt`); the
 * others return the stored task. A failure is stored as the last snapshot of the ended attempt.
 */
async function handOverTask(db: Db, input: HandOver): ReturnType<TaskStore['handOver']> {
  const { task, sentAtMs, ended, next, atMs } = input
  const { rows } = await sql<TaskRowWithContent>`
    update video_tasks set
      provider = ${next.provider}, served_model = ${next.model}, attempt = attempt + 1, attempt_at_ms = ${next.sentAtMs},
      stand_ins = ${JSON.stringify(next.standIns)}, sealed_ticket = null, notice_token_digest = ${next.noticeTokenDigest},
      next_poll_at_ms = ${next.nextPollAtMs}, fence = fence + 1,
      updated_at_ms = ${ended.state === 'failed' ? atMs : sql.ref('updated_at_ms')}
    where id = ${task.id} and attempt = ${task.attempt} and status in ('submitting', 'queued', 'running')
      and withheld_at_ms is null ${next.sentAtMs === null ? sql`and sealed_request is not null` : sql``}
    returning ${TASK_COLUMNS_WITH_CONTENT}`.execute(db)
  const row = rows[0]
  if (row === undefined) {
    const found = await findTaskRow(db, task.id)
    return found === undefined ? { kind: 'no-task' } : { kind: 'unchanged', task: toTaskWithContent(found) }
  }
  if (ended.state === 'failed') await keepFailure(db, { id: task.id, attempt: task.attempt, ended, atMs })
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

async function keepFailure(
  db: Db,
  { id, attempt, ended, atMs }: Pick<HandOver, 'ended' | 'atMs'> & { id: string; attempt: number },
): Promise<void> {
  const { reason, message, measured = {} } = ended
  await sql`
    insert into task_snapshots (task_id, attempt, status, at_ms, error_code, error_message, measured)
    values (${id}, ${attempt}, 'failed', ${atMs}, ${withoutNul(reason)}, ${withoutNul(message ?? '')},
      ${JSON.stringify(measured)})
    on conflict do nothing`.execute(db)
}

/** Lets one of several replicas send a waiting attempt that all of them have read. */
async function startTaskAttempt(db: Db, input: AttemptStart): ReturnType<TaskStore['startAttempt']> {
  const { id, attempt, sentAtMs, noticeTokenDigest, nextPollAtMs } = input
  const { rows } = await sql<TaskRowWithContent>`
    update video_tasks set
      attempt_at_ms = ${sentAtMs}, notice_token_digest = ${noticeTokenDigest}, next_poll_at_ms = ${nextPollAtMs},
      fence = fence + 1
    where id = ${id} and attempt = ${attempt} and attempt > 1 and attempt_at_ms is null and sealed_ticket is null
      and status in ('queued', 'running')
    returning ${TASK_COLUMNS_WITH_CONTENT}`.execute(db)
  if (rows[0] === undefined) return undefined
  await sql`update task_attempts set began_at_ms = ${sentAtMs} where id = ${idOf(id, attempt)}`.execute(db)
  return toTaskWithContent(rows[0])
}

/** Stores an attempt. The first attempt gets its row at its end; later attempts have a row from the start. */
async function keepAttempt(db: Db, attempt: TaskAttempt & { taskId: string }): Promise<void> {
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

/** Stores the end of the attempt with which the task ends. */
export async function endAttempt(
  db: Db,
  { id, attempt, status, error, measured = {}, atMs, refusal }: TaskMove,
): Promise<void> {
  const ending = refusal === undefined ? error : { code: refusal, message: null }
  await sql`
    update task_attempts set
      state = ${refusal === undefined ? status : 'refused'}, ended_at_ms = ${atMs}, vendor_cost_micros = ${vendorCostOf(measured)},
      reason = ${ending === null ? null : withoutNul(ending.code)},
      message = ${ending === null || ending.message === null ? null : withoutNul(ending.message)}
    where id = ${idOf(id, attempt)}`.execute(db)
}

function idOf(taskId: string, number: number): string {
  return `${taskId}.${number}`
}
