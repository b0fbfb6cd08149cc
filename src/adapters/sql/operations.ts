import type { Kysely } from 'kysely'
import { createApiKey } from './api-keys/create-api-key.ts'
import { findCaller } from './api-keys/find-caller.ts'
import { listApiKeys } from './api-keys/list-api-keys.ts'
import { revokeApiKey } from './api-keys/revoke-api-key.ts'
import { bindPerson } from './asset-groups/bind-person.ts'
import { claimDefaultGroup } from './asset-groups/claim-default-group.ts'
import { findDefaultGroup } from './asset-groups/find-default-group.ts'
import { findGroup } from './asset-groups/find-group.ts'
import { releaseDefaultGroup } from './asset-groups/release-default-group.ts'
import { setDefaultGroup } from './asset-groups/set-default-group.ts'
import { claimDueAssets } from './assets/claim-due-assets.ts'
import { createAsset } from './assets/create-asset.ts'
import { findAsset } from './assets/find-asset.ts'
import { findAssets } from './assets/find-assets.ts'
import { listAssets, searchAssets } from './assets/list-assets.ts'
import { moveAsset } from './assets/move-asset.ts'
import { refreshAsset } from './assets/refresh-asset.ts'
import { rescheduleAsset } from './assets/reschedule-asset.ts'
import { insertAudit } from './audit/insert-audit.ts'
import { listAudits } from './audit/list-audits.ts'
import { bringAssetsForward, bringCallbacksForward, bringTasksForward } from './bring-forward.ts'
import { claimDueCallbacks } from './callbacks/claim-due-callbacks.ts'
import { giveBackCallback } from './callbacks/give-back-callback.ts'
import { listAttempts } from './callbacks/list-attempts.ts'
import { recordAttempt } from './callbacks/record-attempt.ts'
import { resendCallback } from './callbacks/resend-callback.ts'
import { findSeal } from './deployment/find-seal.ts'
import { keepSeal } from './deployment/keep-seal.ts'
import { probeDeployment } from './deployment/probe-deployment.ts'
import type { EngineTraits } from './engine-traits.ts'
import { dropExpiredKeys } from './idempotency/drop-expired-keys.ts'
import { findReplay } from './idempotency/find-replay.ts'
import { addCredit } from './ledger/add-credit.ts'
import { checkLedger } from './ledger/check-ledger.ts'
import { countUnmeasured } from './ledger/count-unmeasured.ts'
import { expireHolds } from './ledger/expire-holds.ts'
import { listRefundMoves } from './ledger/list-refund-moves.ts'
import { openHold } from './ledger/open-hold.ts'
import { refundTask } from './ledger/refund-task.ts'
import { releaseHold } from './ledger/release-hold.ts'
import { settleHold } from './ledger/settle-hold.ts'
import { applyModels } from './models/apply-models.ts'
import { fillModelsWhenEmpty } from './models/fill-models-when-empty.ts'
import { findModel } from './models/find-model.ts'
import { listModels } from './models/list-models.ts'
import { createFirst } from './organizations/create-first.ts'
import { createOrganization } from './organizations/create-organization.ts'
import { findOrganization } from './organizations/find-organization.ts'
import { findWebhookSecrets } from './organizations/find-webhook-secrets.ts'
import { listOrganizations } from './organizations/list-organizations.ts'
import { rotateWebhookSecret } from './organizations/rotate-webhook-secret.ts'
import { claimRequest } from './request-claims/claim-request.ts'
import { dropExpiredClaims } from './request-claims/drop-expired-claims.ts'
import { freeClaim } from './request-claims/free-claim.ts'
import { renewClaims } from './request-claims/renew-claims.ts'
import type { Tables } from './tables.ts'
import { giveBackAllowance } from './usage/give-back-allowance.ts'
import { leaseAllowance } from './usage/lease-allowance.ts'
import { renewAllowances } from './usage/renew-allowances.ts'
import { writeUsage } from './usage/write-usage.ts'
import { readDay } from './user-days/read-day.ts'
import { createUser } from './users/create-user.ts'
import { findUser } from './users/find-user.ts'
import { listUsers } from './users/list-users.ts'
import { setUserLimit } from './users/set-user-limit.ts'
import { dropExpiredVendorIds } from './vendor-ids/drop-expired-vendor-ids.ts'
import { findVendorIds } from './vendor-ids/find-vendor-ids.ts'
import { keepVendorIds } from './vendor-ids/keep-vendor-ids.ts'
import { claimExchange } from './verifications/claim-exchange.ts'
import { createVerification } from './verifications/create-verification.ts'
import { dropOldVerifications } from './verifications/drop-old-verifications.ts'
import { findVerification } from './verifications/find-verification.ts'
import { finishVerification } from './verifications/finish-verification.ts'
import { releaseExchange } from './verifications/release-exchange.ts'
import { acceptTask } from './video-tasks/accept-task.ts'
import { beginTask } from './video-tasks/begin-task.ts'
import { claimDueTasks, setAsideNextTask } from './video-tasks/claim-due-tasks.ts'
import { findTask, findWholeTask } from './video-tasks/find-task.ts'
import { findTaskByNotice } from './video-tasks/find-task-by-notice.ts'
import { forgetTask } from './video-tasks/forget-task.ts'
import { listTasks } from './video-tasks/list-tasks.ts'
import { moveTask } from './video-tasks/move-task.ts'
import { refreshTask } from './video-tasks/refresh-task.ts'
import { removeTask } from './video-tasks/remove-task.ts'
import { rescheduleTasks } from './video-tasks/reschedule-tasks.ts'
import { countTasksSetAside, resumeTask, setAsideTask } from './video-tasks/set-aside-task.ts'
import { findTaskForOperator, listTasksForOperator } from './video-tasks/tasks-for-operator.ts'

/** Every question the store answers. Arguments and results are plain data. */
export const READS = {
  countTasksSetAside,
  findAsset,
  findAssets,
  findCaller,
  findDefaultGroup,
  findGroup,
  findModel,
  findOrganization,
  findReplay,
  findSeal,
  findTask,
  findTaskByNotice,
  findTaskForOperator,
  findUser,
  findVendorIds,
  findVerification,
  findWebhookSecrets,
  findWholeTask,
  listApiKeys,
  listAssets,
  listAttempts,
  listAudits,
  listModels,
  listOrganizations,
  listRefundMoves,
  listTasks,
  listTasksForOperator,
  listUsers,
  readDay,
  searchAssets,
}

/** Long questions, each asked of one snapshot of the whole store. */
export const REPORTS = { checkLedger, countUnmeasured }

/** Every change to the store. Arguments and results are plain data: on SQLite they cross to the writer's thread. */
export const WRITES = {
  acceptTask,
  addCredit,
  applyModels,
  beginTask,
  bindPerson,
  bringAssetsForward,
  bringCallbacksForward,
  bringTasksForward,
  claimDefaultGroup,
  claimDueAssets,
  claimDueCallbacks,
  claimDueTasks,
  claimExchange,
  claimRequest,
  createApiKey,
  createAsset,
  createFirst,
  createOrganization,
  createUser,
  createVerification,
  dropExpiredClaims,
  dropExpiredKeys,
  dropExpiredVendorIds,
  dropOldVerifications,
  expireHolds,
  fillModelsWhenEmpty,
  finishVerification,
  forgetTask,
  freeClaim,
  giveBackAllowance,
  giveBackCallback,
  insertAudit,
  keepVendorIds,
  keepSeal,
  leaseAllowance,
  moveAsset,
  moveTask,
  openHold,
  probeDeployment,
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
  rescheduleAsset,
  rescheduleTasks,
  resendCallback,
  resumeTask,
  revokeApiKey,
  rotateWebhookSecret,
  setAsideNextTask,
  setAsideTask,
  setDefaultGroup,
  setUserLimit,
  settleHold,
  writeUsage,
}

/** Writes of one statement, or of several that need not be one, are atomic enough by themselves: an engine over the network saves two round trips. */
export const SINGLE_STATEMENT_WRITES: ReadonlySet<WriteName> = new Set<WriteName>([
  'bindPerson',
  'bringAssetsForward',
  'bringCallbacksForward',
  'bringTasksForward',
  'claimDueAssets',
  'claimDueTasks',
  'claimExchange',
  'claimRequest',
  'createVerification',
  'dropExpiredClaims',
  'dropExpiredKeys',
  'dropExpiredVendorIds',
  'dropOldVerifications',
  'finishVerification',
  'freeClaim',
  'insertAudit',
  'keepVendorIds',
  'probeDeployment',
  'refreshAsset',
  'refreshTask',
  'releaseDefaultGroup',
  'releaseExchange',
  'removeTask',
  'rescheduleAsset',
  'rescheduleTasks',
  'resendCallback',
  'resumeTask',
  'setAsideNextTask',
  'setAsideTask',
])

export type ReadName = keyof typeof READS
export type ReadArgs<Name extends ReadName> = Parameters<(typeof READS)[Name]>[1]
export type ReadResult<Name extends ReadName> = Awaited<ReturnType<(typeof READS)[Name]>>

export type ReportName = keyof typeof REPORTS
export type ReportArgs<Name extends ReportName> = Parameters<(typeof REPORTS)[Name]>[1]
export type ReportResult<Name extends ReportName> = Awaited<ReturnType<(typeof REPORTS)[Name]>>

export type WriteName = keyof typeof WRITES
export type WriteArgs<Name extends WriteName> = Parameters<(typeof WRITES)[Name]>[1]
export type WriteResult<Name extends WriteName> = Awaited<ReturnType<(typeof WRITES)[Name]>>

export function runRead<Name extends ReadName>(
  db: Kysely<Tables>,
  name: Name,
  args: ReadArgs<Name>,
): Promise<ReadResult<Name>> {
  return CHECKED_READS[name](db, args)
}

export function runReport<Name extends ReportName>(
  db: Kysely<Tables>,
  name: Name,
  args: ReportArgs<Name>,
): Promise<ReportResult<Name>> {
  return CHECKED_REPORTS[name](db, args)
}

export function runWrite<Name extends WriteName>(
  db: Kysely<Tables>,
  name: Name,
  args: WriteArgs<Name>,
  traits: EngineTraits,
): Promise<WriteResult<Name>> {
  return CHECKED_WRITES[name](db, args, traits)
}

/** The same tables under a type that ties a name to its arguments, so that the calls above are checked. */
const CHECKED_READS: {
  [Name in ReadName]: (db: Kysely<Tables>, args: ReadArgs<Name>) => Promise<ReadResult<Name>>
} = READS

const CHECKED_REPORTS: {
  [Name in ReportName]: (db: Kysely<Tables>, args: ReportArgs<Name>) => Promise<ReportResult<Name>>
} = REPORTS

const CHECKED_WRITES: {
  [Name in WriteName]: (
    db: Kysely<Tables>,
    args: WriteArgs<Name>,
    traits: EngineTraits,
  ) => Promise<WriteResult<Name>>
} = WRITES
