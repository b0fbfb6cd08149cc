import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TaskSummary } from '../../domain/video/task.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskPosition, TaskStore } from '../../ports/tasks.ts'

export interface TaskPage {
  tasks: TaskSummary[]
  /** undefined on the last page. */
  nextCursor: string | undefined
}

export type ListTasks = (query: {
  caller: Caller
  limit: number
  cursor: string | undefined
}) => Promise<TaskPage>

/** Reads one task more than the limit, which shows whether another page follows. */
export function listTasks({ tasks, secrets }: { tasks: TaskStore; secrets: Secrets }): ListTasks {
  return async ({ caller, limit, cursor }) => {
    const after = readCursor(cursor, caller, secrets)
    const found = await tasks.list({ keyId: caller.keyId, after, limit: limit + 1 })
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { tasks: page, nextCursor: last && writeCursor(last, caller, secrets) }
  }
}

/** The cursor is encrypted and bound to the calling key, so it reveals nothing and works with no other key. */
export function writeCursor(position: TaskPosition, caller: Caller, secrets: Secrets): string {
  return secrets.encrypt(`${position.createdAtMs} ${position.id}`, boundTo(caller))
}

export function readCursor(
  cursor: string | undefined,
  caller: Caller,
  secrets: Secrets,
): TaskPosition | undefined {
  if (cursor === undefined) return undefined
  const [createdAtMs, id] = secrets.decrypt(cursor, boundTo(caller))?.split(' ') ?? []
  if (createdAtMs === undefined || id === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' })
  return { createdAtMs: Number(createdAtMs), id }
}

function boundTo(caller: Caller): string {
  return `task-list-cursor:${caller.keyId}`
}
