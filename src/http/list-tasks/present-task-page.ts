import type { TaskPage } from '../../app/video/list-tasks.ts'
import { hasEnded, type TaskSummary } from '../../domain/video/task.ts'

export function presentTaskPage({ tasks, nextCursor }: TaskPage): object {
  return {
    object: 'list',
    data: tasks.map(presentTask),
    has_more: nextCursor !== undefined,
    next_cursor: nextCursor ?? '',
  }
}

/** The compact form of a task. */
function presentTask({ id, model, status, createdAtMs, completedAtMs }: TaskSummary): object {
  const item = { id, object: 'video.generation.task', created: unixSeconds(createdAtMs), model, status }
  if (completedAtMs === null || !hasEnded(status)) return item
  return { ...item, completed_at: unixSeconds(completedAtMs) }
}

function unixSeconds(unixMs: number): number {
  return Math.floor(unixMs / 1000)
}
