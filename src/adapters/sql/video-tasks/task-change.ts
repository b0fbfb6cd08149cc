import { hasEnded } from '../../../domain/video/task.ts'
import type { TaskMove } from '../../../ports/tasks.ts'
import { withoutNul } from '../without-nul.ts'
import type { TaskRowWithContent } from './to-stored-task.ts'

/** A move as the columns it writes. */
export interface TaskChange extends Pick<TaskMove, 'id' | 'status' | 'sealedContent' | 'atMs'> {
  errorCode: string | null
  errorMessage: string | null
  completedAtMs: number | null
}

/** A row after its change, and the hold whose end goes with it. */
export type ChangedTask = TaskRowWithContent & { hold_id: string | null }

export function toChange({ id, status, sealedContent, error, atMs }: TaskMove): TaskChange {
  return {
    id,
    status,
    sealedContent,
    atMs,
    errorCode: error === null ? null : withoutNul(error.code),
    errorMessage: error === null ? null : withoutNul(error.message),
    completedAtMs: hasEnded(status) ? atMs : null,
  }
}
