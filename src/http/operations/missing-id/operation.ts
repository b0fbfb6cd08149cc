import { ApiError } from '../../../domain/api-error.ts'
import { clientOperation, type MethodAndPath, type Operation } from '../../operation.ts'

/** Path that ends where an id should stand: most likely an empty variable in the client's program. */
function withoutId(id: string, route: MethodAndPath, param: string): Operation {
  return clientOperation(id, route, 'video', {
    undocumented: true,
    summary: `${param} is missing`,
    replies: { 400: { description: `The path ends where \`${param}\` should stand.` } },
    serve() {
      throw new ApiError('missing_parameter', { param, message: `${param} is required.` })
    },
  })
}

export const MISSING_ID_OPERATIONS: readonly Operation[] = [
  withoutId('getWithoutTaskId', 'GET /v1/video/generations/', 'task_id'),
  withoutId('deleteWithoutTaskId', 'DELETE /v1/video/generations/', 'task_id'),
  withoutId('getWithoutAssetId', 'GET /v1/video/assets/', 'asset_id'),
]
