import type { TaskPage } from '../../app/video/list-tasks.ts'
import type { TaskStatus, TaskSummary } from '../../domain/video/task.ts'

const TERMINAL: ReadonlySet<TaskStatus> = new Set(['succeeded', 'failed', 'cancelled'])

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
  if (completedAtMs === null || !TERMINAL.has(status)) return item
  return { ...item, completed_at: unixSeconds(completedAtMs) }
}

function unixSeconds(unixMs: number): number {
  return Math.floor(unixMs / 1000)
}
