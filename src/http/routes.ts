import type { Operation } from './operation.ts'
import { ADMIN_OPERATIONS } from './operations/admin/table.ts'
import { listCallbacks, resendCallback } from './operations/callbacks/operation.ts'
import { compactResponse } from './operations/compact-response/operation.ts'
import { revokeConsent, showConsent } from './operations/consent/operation.ts'
import { consoleOperations } from './operations/console/operation.ts'
import { countTokens } from './operations/count-tokens/operation.ts'
import { createAsset } from './operations/create-asset/operation.ts'
import { createChatCompletion } from './operations/create-chat-completion/operation.ts'
import { createEmbeddings } from './operations/create-embeddings/operation.ts'
import { createMessage } from './operations/create-message/operation.ts'
import { createQuote } from './operations/create-quote/operation.ts'
import { createResponse } from './operations/create-response/operation.ts'
import { createSession } from './operations/create-session/operation.ts'
import { createTask } from './operations/create-task/operation.ts'
import { deleteTask } from './operations/delete-task/operation.ts'
import { docsOperations } from './operations/docs-page/operation.ts'
import { getAsset } from './operations/get-asset/operation.ts'
import { getBalance } from './operations/get-balance/operation.ts'
import { getContent, openMediaLink } from './operations/get-content/operation.ts'
import { getModel, getModelByPath } from './operations/get-model/operation.ts'
import { findProvenance, getProvenance } from './operations/get-provenance/operation.ts'
import { getTaskReceipt, getTextReceipt, receiptKeys } from './operations/get-receipt/operation.ts'
import { cancelResponse, deleteResponse, getResponse } from './operations/get-response/operation.ts'
import { getTask } from './operations/get-task/operation.ts'
import { getUsage } from './operations/get-usage/operation.ts'
import { healthz } from './operations/healthz/operation.ts'
import { home } from './operations/home/operation.ts'
import { listAssets } from './operations/list-assets/operation.ts'
import { listModels } from './operations/list-models/operation.ts'
import { listTasks } from './operations/list-tasks/operation.ts'
import { mcp } from './operations/mcp/operation.ts'
import { metrics } from './operations/metrics/operation.ts'
import { MISSING_ID_OPERATIONS } from './operations/missing-id/operation.ts'
import { openApiOperation } from './operations/openapi/operation.ts'
import { readyz } from './operations/readyz/operation.ts'
import { SYNC_OPERATIONS } from './operations/sync-cache/operation.ts'
import { verificationReturn } from './operations/verification-return/operation.ts'
import { showVerify } from './operations/verify/operation.ts'
import { videoResult } from './operations/video-result/operation.ts'
import { VIDEO_DIALECT_OPERATIONS } from './video-dialects/table.ts'

/** All operations. A new operation is a folder and a row here. */
export const OPERATIONS: readonly Operation[] = [
  createTask,
  createQuote,
  listTasks,
  getTask,
  deleteTask,
  getTaskReceipt,
  listCallbacks,
  resendCallback,
  getContent,
  openMediaLink,
  getProvenance,
  findProvenance,
  videoResult,
  ...VIDEO_DIALECT_OPERATIONS,
  createAsset,
  listAssets,
  getAsset,
  ...MISSING_ID_OPERATIONS,
  createSession,
  verificationReturn,
  showConsent,
  showVerify,
  revokeConsent,
  mcp,
  createMessage,
  countTokens,
  createResponse,
  compactResponse,
  createChatCompletion,
  createEmbeddings,
  getResponse,
  deleteResponse,
  cancelResponse,
  listModels,
  getModel,
  getModelByPath,
  getUsage,
  getTextReceipt,
  receiptKeys,
  getBalance,
  ...SYNC_OPERATIONS,
  ...ADMIN_OPERATIONS,
  home,
  ...consoleOperations,
  healthz,
  readyz,
  metrics,
  openApiOperation(() => OPERATIONS),
  ...docsOperations(() => OPERATIONS),
]
