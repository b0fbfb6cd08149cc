import {
  claimAdminRequest,
  claimAdminRequestAmong,
  finishAdminRequest,
  freeAdminRequest,
} from './admin-requests.ts'
import {
  createApiKey,
  findApiKey,
  findCaller,
  listApiKeys,
  pageApiKeys,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.ts'
import {
  bindPerson,
  claimDefaultGroup,
  findDefaultGroup,
  findGroup,
  releaseDefaultGroup,
  setDefaultGroup,
} from './asset-groups.ts'
import { claimDueAssets, rescheduleAsset } from './assets/claim-due-assets.ts'
import { createAsset } from './assets/create-asset.ts'
import { findAsset, findAssets } from './assets/find-asset.ts'
import { listAssets, searchAssets } from './assets/list-assets.ts'
import { moveAsset, refreshAsset } from './assets/move-asset.ts'
import { insertAudit, listAudits } from './audits.ts'
import {
  bringAssetsForward,
  bringCallbacksForward,
  bringEventsForward,
  bringTasksForward,
} from './bring-forward.ts'
import { claimBudgetWarnings, findBudget, isBudgetSpent, listOverBudget, setBudget } from './budgets.ts'
import {
  claimDueCallbacks,
  giveBackCallback,
  listAttempts,
  recordAttempt,
  resendCallback,
} from './callbacks.ts'
import { countOpenWork } from './count-open-work.ts'
import {
  endSecretChange,
  findSecretState,
  keepSecretCheck,
  probeDeployment,
  switchSecret,
} from './deployment.ts'
import { findDisabled, setOrganizationDisabled, setUserDisabled } from './disabling.ts'
import { dropExpired } from './drop-expired.ts'
import { dropOldAudits, dropOldContentLinks, dropOldTasks } from './drop-old-rows.ts'
import { ERASURE_READS, ERASURE_WRITES } from './erasures.ts'
import { findReplay } from './idempotency-keys.ts'
import { findKeptValue, keepValue, removeKeptShare, removeKeptValue } from './kept-values.ts'
import { findKeyBudget, setKeyBudget } from './key-budgets.ts'
import { addCredit } from './ledger/add-credit.ts'
import { checkLedger, countUnmeasured } from './ledger/check-ledger.ts'
import { releaseHold } from './ledger/end-hold.ts'
import { expireHolds } from './ledger/expire-holds.ts'
import { findAvailable, openHold } from './ledger/open-hold.ts'
import { listRefundMoves, refundTask } from './ledger/refund-task.ts'
import { settleHold } from './ledger/settle-hold.ts'
import { applyModels, fillModelsWhenEmpty } from './models/apply-models.ts'
import { findModel, listModels } from './models/find-models.ts'
import {
  findEntry,
  listEntriesOfTask,
  listSnapshotsOfTask,
  pageAssets,
  pageAttempts,
  pageEntries,
  pageGroups,
  pageVerifications,
} from './operator-pages.ts'
import {
  endOperatorSession,
  findOperatorSession,
  keepSignInLink,
  openOperatorSession,
  renewOperatorSession,
  useSignInLink,
} from './operator-sessions.ts'
import { createOperator, findOperatorByToken, listOperators, revokeOperator } from './operators.ts'
import { EVENT_WRITES } from './organization-events.ts'
import {
  createFirst,
  createOrganization,
  findOrganization,
  findWebhookSecrets,
  listOrganizations,
  pageOrganizations,
  rotateWebhookSecret,
  updateOrganization,
} from './organizations.ts'
import { RECEIPT_READS, RECEIPT_WRITES } from './receipts.ts'
import { claimRequest, claimRequestAmong, freeClaim, renewClaims } from './request-claims.ts'
import { findConsent, revokeConsent } from './revocations.ts'
import { countSecretNeeds, listEncrypted, replaceDigest, replaceEncrypted } from './secret-change.ts'
import { giveBackAllowance, leaseAllowance, renewAllowances } from './usage/allowances.ts'
import { closeDay } from './usage/close-days.ts'
import { countLateUsage } from './usage/count-late-usage.ts'
import { dropOldUsage } from './usage/drop-old-usage.ts'
import { CHARGE_READS } from './usage/find-charges.ts'
import { readPeriod } from './usage/overview.ts'
import { sumUsage } from './usage/sum-usage.ts'
import { writeUsage } from './usage/write-usage.ts'
import { readDay } from './user-days.ts'
import { createUser, findUser, listUsers, pageUsers, setUserLimit } from './users.ts'
import { findVendorIds, keepVendorIds } from './vendor-ids.ts'
import {
  claimExchange,
  createVerification,
  dropOldVerifications,
  findVerification,
  finishVerification,
  releaseExchange,
} from './verifications.ts'
import { acceptTask, removeTask } from './video-tasks/accept-task.ts'
import { beginTask, forgetTask } from './video-tasks/begin-task.ts'
import { claimDueTasks, putOffNextTask, rescheduleTasks } from './video-tasks/claim-due-tasks.ts'
import { findTask, findTaskByNotice, findWholeTask } from './video-tasks/find-task.ts'
import { ATTEMPT_READS, ATTEMPT_WRITES } from './video-tasks/hand-over-task.ts'
import { listTasks } from './video-tasks/list-tasks.ts'
import { moveTask } from './video-tasks/move-task.ts'
import { refreshTask } from './video-tasks/refresh-task.ts'
import { countTasksSetAside, resumeTask, setAsideTask } from './video-tasks/set-aside-task.ts'
import { findTaskForOperator, listTasksForOperator } from './video-tasks/tasks-for-operator.ts'

/** Every question the store answers. Arguments and results are plain data. */
export const READS = {
  ...ATTEMPT_READS,
  ...CHARGE_READS,
  ...ERASURE_READS,
  ...RECEIPT_READS,
  countOpenWork,
  countTasksSetAside,
  findApiKey,
  findBudget,
  findKeyBudget,
  isBudgetSpent,
  findAvailable,
  findAsset,
  findAssets,
  findCaller,
  findConsent,
  findDefaultGroup,
  findDisabled,
  findGroup,
  findModel,
  findOperatorByToken,
  findOperatorSession,
  findOrganization,
  findReplay,
  findSecretState,
  findTask,
  findTaskByNotice,
  findTaskForOperator,
  findUser,
  findVendorIds,
  findKeptValue,
  findVerification,
  findWebhookSecrets,
  findWholeTask,
  listApiKeys,
  listAssets,
  listAttempts,
  listAudits,
  listEncrypted,
  listModels,
  listOperators,
  listOrganizations,
  listOverBudget,
  listRefundMoves,
  listTasks,
  listTasksForOperator,
  listUsers,
  findEntry,
  listEntriesOfTask,
  listSnapshotsOfTask,
  pageApiKeys,
  pageAssets,
  pageAttempts,
  pageEntries,
  pageGroups,
  pageOrganizations,
  pageUsers,
  pageVerifications,
  readPeriod,
  readDay,
  searchAssets,
  sumUsage,
}

/** Long questions, each asked of one snapshot of the whole store. */
export const REPORTS = { checkLedger, countSecretNeeds, countUnmeasured }

/** Every change to the store. Arguments and results are plain data: on SQLite they cross to the writer's thread. */
export const WRITES = {
  ...ATTEMPT_WRITES,
  ...ERASURE_WRITES,
  ...EVENT_WRITES,
  ...RECEIPT_WRITES,
  acceptTask,
  addCredit,
  applyModels,
  beginTask,
  bindPerson,
  bringAssetsForward,
  bringCallbacksForward,
  bringEventsForward,
  bringTasksForward,
  claimAdminRequest,
  claimAdminRequestAmong,
  claimBudgetWarnings,
  claimDefaultGroup,
  claimDueAssets,
  claimDueCallbacks,
  claimDueTasks,
  claimExchange,
  claimRequest,
  claimRequestAmong,
  closeDay,
  countLateUsage,
  createApiKey,
  createAsset,
  createFirst,
  createOperator,
  createOrganization,
  createUser,
  createVerification,
  dropExpired,
  dropOldAudits,
  dropOldContentLinks,
  dropOldTasks,
  dropOldUsage,
  dropOldVerifications,
  endOperatorSession,
  endSecretChange,
  expireHolds,
  fillModelsWhenEmpty,
  finishAdminRequest,
  finishVerification,
  forgetTask,
  freeAdminRequest,
  freeClaim,
  giveBackAllowance,
  giveBackCallback,
  insertAudit,
  keepSignInLink,
  keepVendorIds,
  keepValue,
  removeKeptShare,
  removeKeptValue,
  keepSecretCheck,
  leaseAllowance,
  moveAsset,
  moveTask,
  openHold,
  openOperatorSession,
  probeDeployment,
  putOffNextTask,
  recordAttempt,
  refreshAsset,
  refreshTask,
  refundTask,
  releaseDefaultGroup,
  releaseExchange,
  releaseHold,
  removeTask,
  renewAllowances,
  renewClaims,
  renewOperatorSession,
  replaceDigest,
  replaceEncrypted,
  rescheduleAsset,
  rescheduleTasks,
  resendCallback,
  resumeTask,
  revokeApiKey,
  revokeConsent,
  rotateApiKey,
  revokeOperator,
  rotateWebhookSecret,
  setAsideTask,
  setBudget,
  setKeyBudget,
  setDefaultGroup,
  setOrganizationDisabled,
  setUserDisabled,
  setUserLimit,
  settleHold,
  switchSecret,
  updateOrganization,
  writeUsage,
  useSignInLink,
}
