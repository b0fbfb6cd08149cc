import { type RawBuilder, sql } from 'kysely'
import { MOVES_FROM, type TaskStatus } from '../../../domain/video/task.ts'
import type { Moved, TaskMove, TaskStore } from '../../../ports/tasks.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { hotStatement } from '../hot-statement.ts'
import { firstOf, type StatementsOf, single, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { TASK_COLUMNS_WITH_CONTENT } from './find-task.ts'
import {
  type ChangedTask,
  finishMove,
  type TaskChange,
  toChange,
  unchanged,
  unlessWithheld,
} from './finish-move.ts'
import { refreshTask } from './refresh-task.ts'

export const MOVE_TASK = {
  move: firstOf(single(refreshTask), write(moveTask)),
} satisfies Partial<StatementsOf<TaskStore>>

/** Only one of several simultaneous moves changes the row; the others return the task as it is stored. */
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

/** An ended task loses its request, because no stand-in needs it. */
function advanceFrom(statuses: readonly TaskStatus[], request: RawBuilder<unknown>) {
  return hotStatement<TaskChange, ChangedTask>(
    (change) => sql`
      update video_tasks set
        status = ${change.status}, updated_at_ms = ${change.atMs}, sealed_content = ${unlessWithheld(sql`${change.encryptedContent}`)},
        error_code = ${change.errorCode}, error_message = ${change.errorMessage},
        completed_at_ms = ${change.completedAtMs}, sealed_request = ${request}
      where id = ${change.id} and attempt = ${change.attempt} and status in (${sql.join(statuses.map((status) => sql.lit(status)))})
      returning ${TASK_COLUMNS_WITH_CONTENT}, (select id from holds where holds.task_id = video_tasks.id) as hold_id`,
  )
}
