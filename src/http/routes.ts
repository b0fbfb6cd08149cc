import { docsPageOperation } from './docs-page/operation.ts'
import { healthz } from './healthz/operation.ts'
import { listModels } from './list-models/operation.ts'
import { listTasks } from './list-tasks/operation.ts'
import { metrics } from './metrics/operation.ts'
import { deleteWithoutTaskId, getWithoutTaskId } from './missing-task-id/operation.ts'
import { openApiOperation } from './openapi/operation.ts'
import type { Operation } from './operation.ts'
import { readyz } from './readyz/operation.ts'
import { syncModelPrice } from './sync-model-price/operation.ts'
import { syncOrganization } from './sync-organization/operation.ts'
import { syncUser } from './sync-user/operation.ts'

/** The whole API. A new operation is a folder of its own and a row here. */
export const OPERATIONS: readonly Operation[] = [
  listTasks,
  getWithoutTaskId,
  deleteWithoutTaskId,
  listModels,
  syncOrganization,
  syncUser,
  syncModelPrice,
  healthz,
  readyz,
  metrics,
  openApiOperation(() => OPERATIONS),
  docsPageOperation(() => OPERATIONS),
]
