import { ApiError } from '../../../domain/api-error.ts'
import type { Operation } from '../../operation.ts'

/** Path without the id: most likely an empty variable in the client's program. */
export const getWithoutAssetId: Operation = {
  id: 'getWithoutAssetId',
  method: 'GET',
  path: '/v1/video/assets/',
  area: 'video',
  access: 'api-key',
  undocumented: true,
  summary: 'An asset id is missing',
  replies: { 400: { description: 'The path ends where the asset id should stand.' } },
  handle: () => () => {
    throw new ApiError('missing_parameter', { param: 'asset_id', message: 'asset_id is required.' })
  },
}
