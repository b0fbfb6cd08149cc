import { type RawBuilder, sql } from 'kysely'
import { ZERO_MICROS } from '../../../domain/billing/micros.ts'
import { costOfTerms } from '../../../domain/video/cost-of-task.ts'
import { hasEnded } from '../../../domain/video/task.ts'
import type { Moved, TaskMove } from '../../../ports/tasks.ts'
import { insertAudit } from '../audit/audits.ts'
import { insertCallback } from '../callbacks/callbacks.ts'
import { insertClips } from '../clips/insert-clips.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { withoutNul } from '../in-chunks.ts'
import { releaseHold } from '../ledger/end-hold.ts'
import { settleHold } from '../ledger/settle-hold.ts'
import type { Db } from '../tables.ts'
import { lockOrganization } from '../tenants/lock-organization.ts'
import { type TaskRowWithContent, toTaskWithContent } from './find-task.ts'
import { findTaskRow } from './find-task-row.ts'
import { endAttempt } from './hand-over-task.ts'

/** Writes the rest of a move: snapshot and audit row, and for an ended task callback and money. */
export async function finishMove(
  db: Db,
  row: ChangedTask,
  move: TaskMove,
  traits: EngineTraits,
): Promise<Moved> {
  const { holdId: _hold, ...moved } = row
  const task = toTaskWithContent(moved)
  await keepSnapshot(db, { ...toChange(move), measured: JSON.stringify(move.measured ?? {}) })
  if (move.audit !== undefined) await insertAudit(db, move.audit)
  if (!hasEnded(task.status)) {
    return { kind: 'moved', task, ended: false, day: undefined, lossMicros: ZERO_MICROS }
  }
  if (task.attempt > 1) await endAttempt(db, move)
  if (task.owesCallback) {
    await insertCallback(db, {
      id: move.callbackId,
      taskId: task.id,
      organizationId: task.organizationId,
      atMs: move.atMs,
    })
  }
  const money = await endMoney(db, row, move, traits)
  // After this lock an erasure of the organization has ended, or will find the copies.
  if (move.clips !== undefined && (await lockOrganization(db, task.organizationId, traits)))
    await insertClips(db, task, move)
  return { kind: 'moved', task, ended: true, ...money }
}

/** Stores one snapshot per attempt and status. */
const keepSnapshot = hotStatement<TaskChange & { measured: string }>(
  ({ id, attempt, status, atMs, errorCode, errorMessage, measured }) => sql`
    insert into task_snapshots (task_id, attempt, status, at_ms, error_code, error_message, measured)
    values (${id}, ${attempt}, ${status}, ${atMs}, ${errorCode}, ${errorMessage}, ${measured})
    on conflict do nothing`,
)

/** Returns the task as another writer stored it. */
export async function unchanged(db: Db, id: string): Promise<Moved> {
  const row = await findTaskRow(db, id)
  return row === undefined ? { kind: 'no-task' } : { kind: 'unchanged', task: toTaskWithContent(row) }
}

/** Settles or releases the hold. The cost of a task whose hold has expired is a loss. */
async function endMoney(
  db: Db,
  { holdId, status, createdAtMs, keyId, model }: ChangedTask,
  { entryId, cost, videoMs, atMs }: TaskMove,
  traits: EngineTraits,
): Promise<Pick<Extract<Moved, { kind: 'moved' }>, 'day' | 'lossMicros'>> {
  if (status !== 'succeeded') {
    const day = holdId === null ? undefined : await releaseHold(db, { holdId, atMs })
    return { day, lossMicros: ZERO_MICROS }
  }
  const durationMs = Math.max(0, atMs - createdAtMs)
  const video = { keyId, model, videoMs, durationMs }
  const settlement =
    holdId === null ? undefined : await settleHold(db, { holdId, entryId, cost, atMs, video }, traits)
  return { day: settlement?.day, lossMicros: settlement?.lossMicros ?? costOfTerms(cost) }
}

/** Leaves out the result of a task that shows a person whose consent was revoked. */
export function unlessWithheld(content: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when withheld_at_ms is null then ${content} end`
}

/** Columns that a move writes. */
export interface TaskChange
  extends Pick<TaskMove, 'id' | 'attempt' | 'status' | 'encryptedContent' | 'atMs'> {
  errorCode: string | null
  errorMessage: string | null
  completedAtMs: number | null
}

/** Row after its change, with its hold. */
export type ChangedTask = TaskRowWithContent & { holdId: string | null }

export function toChange({ id, attempt, status, encryptedContent, error, atMs }: TaskMove): TaskChange {
  return {
    id,
    attempt,
    status,
    encryptedContent,
    atMs,
    errorCode: error === null ? null : withoutNul(error.code),
    errorMessage: error === null ? null : withoutNul(error.message),
    completedAtMs: hasEnded(status) ? atMs : null,
  }
}
