import { ApiError } from '../../domain/api-error.ts'
import { parseTaskId } from '../schema/parse-id.ts'
import type { VideoDialect } from './dialect.ts'

const OURS = 'task_'

type IdFormat = Pick<VideoDialect, 'idPrefix' | 'idName'>

/** The id of a task in the dialect: another beginning, the same rest. */
export function dialectId({ idPrefix }: Pick<IdFormat, 'idPrefix'>, taskId: string): string {
  return taskId.replace(OURS, idPrefix)
}

/** Returns undefined for an id without the prefix of the dialect. */
export function taskIdIn({ idPrefix }: Pick<IdFormat, 'idPrefix'>, id: string): string | undefined {
  return id.startsWith(idPrefix) ? `${OURS}${id.slice(idPrefix.length)}` : undefined
}

/** Reads the id in the path. An id of another form is answered like an unknown one. */
export function parseDialectId(dialect: IdFormat, params: unknown): string {
  const id: unknown = Object(params)[dialect.idName]
  const taskId = typeof id === 'string' ? taskIdIn(dialect, id) : undefined
  if (taskId === undefined) throw new ApiError('task_not_found')
  return parseTaskId({ task_id: taskId })
}
