import { ApiError } from '../../../domain/api-error.ts'
import type { Operation } from '../../operation.ts'

/** Path without the id: most likely an empty variable in the client's program. */
const row = {
  path: '/v1/video/generations/',
  area: 'video',
  access: 'api-key',
  undocumented: true,
  summary: 'A task id is missing',
  replies: { 400: { description: 'The path ends where the task id should stand.' } },
  handle: () => () => {
    throw new ApiError('missing_parameter', { param: 'task_id', message: 'task_id is required.' })
  },
} as const

export const getWithoutTaskId: Operation = { ...row, id: 'getWithoutTaskId', method: 'GET' }

export const deleteWithoutTaskId: Operation = { ...row, id: 'deleteWithoutTaskId', method: 'DELETE' }
