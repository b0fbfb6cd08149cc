import { type RawBuilder, sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { TaskForOperator, TaskStore } from '../../../ports/tasks.ts'
import { equal, idAt, pageOf } from '../page-of.ts'
import { page, read, type StatementsOf } from '../statement.ts'
import { TASK_COLUMNS, type TaskRow, toStoredTask } from './find-task.ts'
import { taskIdOf } from './task-id-of.ts'

export const TASKS_FOR_OPERATOR = {
  /** Finds a task by its id or by the id of its create request. */
  findForOperator: read(async (db, id) => {
    const { rows } = await sql<WideRow>`${SELECT} where video_tasks.id = ${taskIdOf(id)}`.execute(db)
    return rows[0] === undefined ? undefined : toTaskForOperator(rows[0])
  }),

  listForOperator: page(async (db, query) => {
    const filters = [
      ...equal('video_tasks.status', query.status),
      ...equal('video_tasks.model', query.model),
      ...showing(query.groupId),
      ...(query.silentSinceMs === undefined ? [] : [silentSince(query.silentSinceMs)]),
    ]
    const { rows } = await sql<WideRow>`${SELECT} ${pageOf('video_tasks', query, filters)}`.execute(db)
    return rows.map(toTaskForOperator)
  }),
} satisfies Partial<StatementsOf<TaskStore>>

function showing(groupId: string | undefined): RawBuilder<unknown>[] {
  if (groupId === undefined) return []
  return [sql`video_tasks.id in (select task_id from task_groups where group_id = ${groupId})`]
}

/** Returns the lower bound for ids of tasks that were created at this time or later. */
export function taskIdAt(ms: number): string {
  return idAt('task', ms)
}

/** Condition: an open task that is set aside or has had no update since `ms`. Uses the index on open tasks. */
function silentSince(ms: number): RawBuilder<unknown> {
  return sql`
    video_tasks.status in ('submitting', 'queued', 'running')
    and (video_tasks.set_aside_at_ms is not null
      or coalesce(video_tasks.updated_at_ms, video_tasks.created_at_ms) < ${ms})`
}

type WideRow = TaskRow &
  Pick<TaskForOperator, 'setAsideAtMs' | 'callbackState'> & {
    hasCallbackUrl: boolean | number
    holdMicros: number | null
    entryMicros: number | null
    refundedMicros: number
  }

/** Unique keys allow a task one hold, one settlement and one callback at most. */
const SELECT = sql`
  select ${TASK_COLUMNS}, (video_tasks.sealed_callback_url is not null) as "hasCallbackUrl",
    video_tasks.set_aside_at_ms as "setAsideAtMs", holds.amount_micros as "holdMicros",
    ledger_entries.amount_micros as "entryMicros", video_callbacks.state as "callbackState",
    (
      select cast(coalesce(sum(refunds.amount_micros), 0) as bigint) from ledger_entries as refunds
      where refunds.kind = 'refund' and refunds.hold_id = holds.id
    ) as "refundedMicros"
  from video_tasks
  left join holds on holds.task_id = video_tasks.id
  left join ledger_entries on ledger_entries.hold_id = holds.id and ledger_entries.kind = 'settlement'
  left join video_callbacks on video_callbacks.task_id = video_tasks.id`

function toTaskForOperator({ entryMicros, ...row }: WideRow): TaskForOperator {
  return {
    ...toStoredTask(row),
    setAsideAtMs: row.setAsideAtMs,
    callbackState: row.callbackState,
    hasCallbackUrl: Boolean(row.hasCallbackUrl),
    holdMicros: micros(row.holdMicros ?? 0),
    chargedMicros: entryMicros === null ? null : micros(0 - entryMicros),
    refundedMicros: micros(row.refundedMicros),
  }
}
