import { type RawBuilder, sql } from 'kysely'
import {
  CALLBACK_ATTEMPTS_MAX,
  EXTENDED_ATTEMPTS_MAX,
  EXTENDED_MS,
  LONG_DELAY_MS_MAX,
} from '../../../domain/callbacks/callback-retry.ts'
import type { AbandonedCallback, CallbackStore, DueCallback } from '../../../ports/callbacks.ts'
import { insertAudit } from '../audit/audits.ts'
import { claimAttempts } from '../claim-attempts.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { insertEventsOf } from '../events/insert-events.ts'
import type { Queue } from '../fair-claim.ts'
import { hotStatement } from '../hot-statement.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { taskIdOf } from '../tasks/task-id-of.ts'

export const CALLBACKS = {
  claimDue: write(async (db, claim, traits) => {
    const claimed = await claimAttempts(db, DUE_CALLBACKS, claim, traits)
    const due = claimed.due.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    if (due.length > 0) await insertUnknownAttempts(db, due, claim.nowMs)
    const abandoned = claimed.abandoned.map(({ id, taskId, organizationId }) => ({
      id,
      taskId,
      organizationId,
    }))
    await insertGivenUp(db, abandoned, claim.nowMs)
    return { due, abandoned, more: claimed.more }
  }),

  /** Makes attempts due that are too far ahead, because the clock was set back. Extended retries may be further ahead. */
  bringForward: single(async (db, { nowMs, farthestMs }) => {
    const { numAffectedRows } = await sql`
      update video_callbacks set next_attempt_at_ms = ${nowMs}
      where state = 'pending' and next_attempt_at_ms - ${RETRIES_PAUSE} > ${farthestMs}`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }),

  recordAttempt: write(async (db, { callbackId, fence, attempt, outcome, nextAttemptAtMs }) => {
    const state = outcome === 'again' ? 'pending' : outcome
    const { rows } = await sql<{ organization_id: string }>`
      update video_callbacks set state = ${state}, next_attempt_at_ms = coalesce(${nextAttemptAtMs}, next_attempt_at_ms)
      where id = ${callbackId} and fence = ${fence} and state = 'pending' returning organization_id`.execute(
      db,
    )
    if (rows[0] !== undefined && outcome === 'given-up') {
      const ended = { id: callbackId, taskId: attempt.taskId, organizationId: rows[0].organization_id }
      await insertGivenUp(db, [ended], attempt.atMs)
    }
    await sql`
      insert into callback_attempts (task_id, attempt, at_ms, status, error)
      values (${attempt.taskId}, ${attempt.attempt}, ${attempt.atMs}, ${attempt.status}, ${attempt.error})
      on conflict (task_id, attempt) do update
      set at_ms = excluded.at_ms, status = excluded.status, error = excluded.error
      where callback_attempts.error = ${UNKNOWN}`.execute(db)
  }),

  /** Undoes the count and the unknown attempt of a claim, and sets the next attempt. */
  giveBack: write(async (db, { callbackId, fence, nextAttemptAtMs }) => {
    // The fence grows, so that a repeated call finds nothing to give back.
    const { rows } = await sql<{ task_id: string; attempt_count: number }>`
      update video_callbacks set
        attempt_count = attempt_count - 1, next_attempt_at_ms = ${nextAttemptAtMs}, fence = fence + 1
      where id = ${callbackId} and fence = ${fence} and state = 'pending'
      returning task_id, attempt_count`.execute(db)
    const callback = rows[0]
    if (callback === undefined) return
    await sql`
      delete from callback_attempts
      where task_id = ${callback.task_id} and attempt = ${callback.attempt_count + 1}
        and error = ${UNKNOWN}`.execute(db)
  }),

  listAttempts: read(async (db, { taskId, limit }) => {
    const latestFirst =
      taskId === undefined
        ? sql`order by at_ms desc, task_id desc, callback_attempts.attempt desc`
        : sql`where task_id = ${taskIdOf(taskId)} order by callback_attempts.attempt desc`
    const { rows } = await sql<NamedRow<typeof ATTEMPT_COLUMNS>>`
      select ${ATTEMPT_COLUMNS} from callback_attempts ${latestFirst} limit ${limit}`.execute(db)
    return rows.toReversed().map((row) => ({ ...row }))
  }),

  resend: write(async (db, { taskId, atMs }, audit) => {
    const { rows } = await sql<{ task_id: string; organization_id: string }>`
      update video_callbacks set ${dueAgain(atMs)}
      where task_id = ${taskIdOf(taskId)} returning task_id, organization_id`.execute(db)
    const [callback] = rows
    if (callback !== undefined && audit !== undefined)
      await insertAudit(db, { ...audit, organizationId: callback.organization_id, subject: callback.task_id })
    return callback?.task_id
  }),
} satisfies Partial<StatementsOf<CallbackStore>>

/** Makes a callback due again. The fence grows, so that a running attempt cannot finish it. */
export function dueAgain(atMs: number): RawBuilder<unknown> {
  return sql`
    state = 'pending', next_attempt_at_ms = ${atMs}, fence = fence + 1,
    attempts_allowed = attempt_count + ${attemptsOf(ORGANIZATION)}, retry_until_ms = ${retryUntil(ORGANIZATION, atMs)}`
}

export const ATTEMPT_COLUMNS = columnsAs('callback_attempts', [
  'taskId',
  'attempt',
  'atMs',
  'status',
  'error',
])

const ORGANIZATION = sql`video_callbacks.organization_id`

const RETRIES_PAUSE = sql`case when retry_until_ms is null then 0 else ${sql.lit(LONG_DELAY_MS_MAX)} end`

/** The state is a literal, so that planners match it with the condition of the index. */
const QUEUE: Queue = {
  table: 'video_callbacks',
  waiting: sql`state = 'pending'`,
  dueColumn: 'next_attempt_at_ms',
}
export const DUE_CALLBACKS = {
  queue: QUEUE,
  columns: columnsAs('video_callbacks', ['taskId', 'retryUntilMs']),
}

/** Writes attempts before they are sent, so that an attempt is listed even when its process dies. */
async function insertUnknownAttempts(db: Db, due: readonly DueCallback[], atMs: number): Promise<void> {
  const rows = due.map(({ taskId, attempt }) => sql`(${taskId}, ${attempt}, ${atMs}, ${UNKNOWN})`)
  await sql`
    insert into callback_attempts (task_id, attempt, at_ms, error) values ${sql.join(rows)}
    on conflict do nothing`.execute(db)
}

/** The cause contains the time, because a resent callback can be given up again. */
function insertGivenUp(db: Db, callbacks: readonly AbandonedCallback[], atMs: number): Promise<void> {
  const rows = callbacks.map(({ organizationId, taskId, id }) => {
    return { organization_id: organizationId, task_id: taskId, callback_id: id }
  })
  const occasionOf = (row: (typeof rows)[number]) => `${row.callback_id}:${atMs}`
  return insertEventsOf(db, 'callback.given_up', rows, { atMs, occasionOf })
}

interface NewCallback {
  id: string
  taskId: string
  organizationId: string
  atMs: number
}

/** Inserts a callback that is due immediately. A unique key refuses a second callback of a task. */
export const insertCallback = hotStatement<NewCallback>(
  ({ id, taskId, organizationId, atMs }) => sql`
    insert into video_callbacks
      (id, task_id, organization_id, created_at_ms, state, attempts_allowed, retry_until_ms, next_attempt_at_ms)
    values (
      ${id}, ${taskId}, ${organizationId}, ${atMs}, 'pending',
      ${attemptsOf(sql`${organizationId}`)}, ${retryUntil(sql`${organizationId}`, atMs)}, ${atMs}
    )`,
)

/** Number of attempts by the current setting of the organization. */
function attemptsOf(organizationId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((
    select ${sql.lit(EXTENDED_ATTEMPTS_MAX)} from organizations
    where id = ${organizationId} and callback_retries = 'extended'
  ), ${sql.lit(CALLBACK_ATTEMPTS_MAX)})`
}

function retryUntil(organizationId: RawBuilder<unknown>, atMs: number): RawBuilder<unknown> {
  return sql`(
    select cast(${atMs} as bigint) + ${sql.lit(EXTENDED_MS)} from organizations
    where id = ${organizationId} and callback_retries = 'extended'
  )`
}

/** Result of an attempt until its real result is written. */
export const UNKNOWN = 'unknown'
