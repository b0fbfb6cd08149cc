import { type RawBuilder, sql } from 'kysely'
import { MOVES_FROM, type TaskStatus } from '../../../domain/video/task.ts'
import type { Moved, TaskMove, TaskStore } from '../../../ports/tasks.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { firstOf, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent, toTaskWithContent } from './find-task.ts'
import {
  type ChangedTask,
  finishMove,
  type TaskChange,
  toChange,
  unchanged,
  unlessWithheld,
} from './finish-move.ts'

export const MOVE_TASK = {
  move: firstOf(single(refreshTask), write(moveTask)),
} satisfies Partial<StatementsOf<TaskStore>>

/** Changes the row in only one of several simultaneous moves. The others return the stored task. */
export async function moveTask(db: Db, move: TaskMove, traits: EngineTraits): Promise<Moved> {
  const changed = await ADVANCES[move.status]?.(db, toChange(move))
  const row = changed?.rows[0]
  return row === undefined ? await unchanged(db, move.id) : await finishMove(db, row, move, traits)
}

const ADVANCES = {
  queued: undefined,
  running: advanceFrom(MOVES_FROM.running, sql`sealed_request`),
  succeeded: advanceFrom(MOVES_FROM.succeeded, sql`null`),
  failed: advanceFrom(MOVES_FROM.failed, sql`null`),
  cancelled: advanceFrom(MOVES_FROM.cancelled, sql`null`),
}

/** Moves a task. An ended task loses its request, because no stand-in needs it. */
function advanceFrom(statuses: readonly TaskStatus[], request: RawBuilder<unknown>) {
  return hotStatement<TaskChange, ChangedTask>(
    (change) => sql`
      update video_tasks set
        status = ${change.status}, updated_at_ms = ${change.atMs}, sealed_content = ${unlessWithheld(sql`${change.encryptedContent}`)},
        error_code = ${change.errorCode}, error_message = ${change.errorMessage},
        completed_at_ms = ${change.completedAtMs}, sealed_request = ${request}
      where id = ${change.id} and attempt = ${change.attempt} and status in (${sql.join(statuses.map((status) => sql.lit(status)))})
      returning ${TASK_COLUMNS_WITH_CONTENT}, (select id from holds where holds.task_id = video_tasks.id) as "holdId"`,
  )
}

/**
 * Stores a snapshot that does not change the status, like most, with one statement and without a transaction.
 * A succeeded task gets new links to its content. Stores nothing and returns undefined when the status or
 * the attempt differs, and for a task that failed or was cancelled.
 */
export async function refreshTask(db: Db, input: TaskMove): Promise<Moved | undefined> {
  const { id, attempt, status, encryptedContent, atMs } = input
  const { rows } = await renew(db, { id, attempt, status, encryptedContent, atMs })
  return rows[0] === undefined ? undefined : { kind: 'unchanged', task: toTaskWithContent(rows[0]) }
}

const renew = hotStatement<
  Pick<TaskMove, 'id' | 'attempt' | 'status' | 'encryptedContent' | 'atMs'>,
  TaskRowWithContent
>(
  ({ id, attempt, status, encryptedContent, atMs }) => sql`
    update video_tasks set
      sealed_content = ${unlessWithheld(sql`coalesce(${encryptedContent}, sealed_content)`)},
      updated_at_ms = ${atMs}
    where id = ${id} and attempt = ${attempt} and status = ${status} and status in ('queued', 'running', 'succeeded')
    returning ${TASK_COLUMNS_WITH_CONTENT}`,
)
