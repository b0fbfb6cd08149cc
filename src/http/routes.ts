import { countTokens } from './count-tokens/operation.ts'
import { createAsset } from './create-asset/operation.ts'
import { createMessage } from './create-message/operation.ts'
import { createResponse } from './create-response/operation.ts'
import { createSession } from './create-session/operation.ts'
import { createTask } from './create-task/operation.ts'
import { deleteTask } from './delete-task/operation.ts'
import { docsPageOperation } from './docs-page/operation.ts'
import { getAsset } from './get-asset/operation.ts'
import { getModel, getModelByPath } from './get-model/operation.ts'
import { getTask } from './get-task/operation.ts'
import { healthz } from './healthz/operation.ts'
import { home } from './home/operation.ts'
import { listAssets } from './list-assets/operation.ts'
import { listModels } from './list-models/operation.ts'
import { listTasks } from './list-tasks/operation.ts'
import { metrics } from './metrics/operation.ts'
import { getWithoutAssetId } from './missing-asset-id/operation.ts'
import { deleteWithoutTaskId, getWithoutTaskId } from './missing-task-id/operation.ts'
import { openApiOperation } from './openapi/operation.ts'
import type { Operation } from './operation.ts'
import { readyz } from './readyz/operation.ts'
import { syncModelPrice } from './sync-model-price/operation.ts'
import { syncOrganization } from './sync-organization/operation.ts'
import { syncUser } from './sync-user/operation.ts'
import { verificationReturn } from './verification-return/operation.ts'
import { videoResult } from './video-result/operation.ts'

/** The whole API. A new operation is a folder of its own and a row here. */
export const OPERATIONS: readonly Operation[] = [
  createTask,
  listTasks,
  getTask,
  deleteTask,
  getWithoutTaskId,
  deleteWithoutTaskId,
  videoResult,
  createAsset,
  listAssets,
  getAsset,
  getWithoutAssetId,
  createSession,
  verificationReturn,
  createMessage,
  countTokens,
  createResponse,
  listModels,
  getModel,
  getModelByPath,
  syncOrganization,
  syncUser,
  syncModelPrice,
  home,
  healthz,
  readyz,
  metrics,
  openApiOperation(() => OPERATIONS),
  docsPageOperation(() => OPERATIONS),
]
