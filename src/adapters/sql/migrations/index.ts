import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
import type { MigrationStep } from '../migration-step.ts'
import { createTenants } from './0001-tenants.ts'
import { createModels } from './0002-models.ts'
import { createVideoTasks } from './0003-video-tasks.ts'
import { createPrices } from './0004-prices.ts'
import { createLedger } from './0005-ledger.ts'
import { createUsage } from './0006-usage.ts'
import { createAudit } from './0007-audit.ts'
import { createCallbacks } from './0008-callbacks.ts'
import { createVideoWork } from './0009-video-work.ts'
import { createAssets } from './0010-assets.ts'
import { createVerificationEnds } from './0011-verification-ends.ts'
import { createFallbacks } from './0012-fallbacks.ts'
import { createRequestClaims } from './0013-request-claims.ts'
import { createContextTokens } from './0014-context-tokens.ts'
import { createSurcharges } from './0015-surcharges.ts'
import { createLedgerProof } from './0016-ledger-proof.ts'
import { createFairClaims } from './0017-fair-claims.ts'
import { createVendorIds } from './0019-vendor-ids.ts'
import { createDeployment } from './0020-deployment.ts'
import { createLikeModel } from './0021-like-model.ts'
import { createUsageRollups } from './0022-usage-rollups.ts'
import { createDisabling } from './0023-disabling.ts'
import { createKeyTerms } from './0024-key-terms.ts'
import { createBudgets } from './0025-budgets.ts'
import { createTextRefunds } from './0026-text-refunds.ts'
import { createKeyBudgets } from './0027-key-budgets.ts'
import { createVendorRemovals } from './0028-vendor-removals.ts'
import { createRetention } from './0029-retention.ts'
import { createOperators } from './0030-operators.ts'
import { createPages } from './0031-pages.ts'
import { createAdminRequests } from './0032-admin-requests.ts'
import { createTaskSnapshots } from './0033-task-snapshots.ts'
import { createPageFilters } from './0034-page-filters.ts'
import { createOperatorSessions } from './0039-operator-sessions.ts'
import { createSecretChange } from './0040-secret-change.ts'
import { createClosedDays } from './0042-closed-days.ts'
import { createKeptValues } from './0044-kept-values.ts'
import { createQuotes } from './0047-quotes.ts'
import { createReceipts } from './0048-receipts.ts'
import { createStandIns } from './0050-stand-ins.ts'
import { createRoutes } from './0052-routes.ts'
import { createConsent } from './0054-consent.ts'
import { createOrganizationEvents } from './0055-organization-events.ts'
import { createTaskGroups } from './0056-task-groups.ts'
import { createSearchAndVendorPrices } from './0059-search-and-vendor-prices.ts'
import { createKeptRequests } from './0060-kept-requests.ts'
import { createLateConsent } from './0061-late-consent.ts'
import { createReceiptsOfRequests } from './0062-receipts-of-requests.ts'
import { createRequestsOfTasks } from './0063-requests-of-tasks.ts'
import { createKeepReplies } from './0064-keep-replies.ts'
import { createErasedUsers } from './0065-erased-users.ts'
import { createDatesOfModels } from './0066-dates-of-models.ts'
import { createProviders } from './0067-providers.ts'
import { createAliases } from './0068-aliases.ts'
import { createRequestLog } from './0069-request-log.ts'
import { createPublishedModels } from './0070-published-models.ts'
import { createEvents } from './0071-events.ts'
import { createVideoTerms } from './0072-video-terms.ts'
import { createClips } from './0073-clips.ts'
import { createCallbackRetries } from './0075-callback-retries.ts'
import { createRecordBodies } from './0077-record-bodies.ts'
import { createDemo } from './0080-demo.ts'

/** Migrations in the order of their names. A released one never changes: add another. */
const STEPS: Readonly<Record<string, MigrationStep>> = {
  '0001-tenants': createTenants,
  '0002-models': createModels,
  '0003-video-tasks': createVideoTasks,
  '0004-prices': createPrices,
  '0005-ledger': createLedger,
  '0006-usage': createUsage,
  '0007-audit': createAudit,
  '0008-callbacks': createCallbacks,
  '0009-video-work': createVideoWork,
  '0010-assets': createAssets,
  '0011-verification-ends': createVerificationEnds,
  '0012-fallbacks': createFallbacks,
  '0013-request-claims': createRequestClaims,
  '0014-context-tokens': createContextTokens,
  '0015-surcharges': createSurcharges,
  '0016-ledger-proof': createLedgerProof,
  '0017-fair-claims': createFairClaims,
  '0019-vendor-ids': createVendorIds,
  '0020-deployment': createDeployment,
  '0021-like-model': createLikeModel,
  '0022-usage-rollups': createUsageRollups,
  '0023-disabling': createDisabling,
  '0024-key-terms': createKeyTerms,
  '0025-budgets': createBudgets,
  '0026-text-refunds': createTextRefunds,
  '0027-key-budgets': createKeyBudgets,
  '0028-vendor-removals': createVendorRemovals,
  '0029-retention': createRetention,
  '0030-operators': createOperators,
  '0031-pages': createPages,
  '0032-admin-requests': createAdminRequests,
  '0033-task-snapshots': createTaskSnapshots,
  '0034-page-filters': createPageFilters,
  '0039-operator-sessions': createOperatorSessions,
  '0040-secret-change': createSecretChange,
  '0042-closed-days': createClosedDays,
  '0044-kept-values': createKeptValues,
  '0047-quotes': createQuotes,
  '0048-receipts': createReceipts,
  '0050-stand-ins': createStandIns,
  '0052-routes': createRoutes,
  '0054-consent': createConsent,
  '0055-organization-events': createOrganizationEvents,
  '0056-task-groups': createTaskGroups,
  '0059-search-and-vendor-prices': createSearchAndVendorPrices,
  '0060-kept-requests': createKeptRequests,
  '0061-late-consent': createLateConsent,
  '0062-receipts-of-requests': createReceiptsOfRequests,
  '0063-requests-of-tasks': createRequestsOfTasks,
  '0064-keep-replies': createKeepReplies,
  '0065-erased-users': createErasedUsers,
  '0066-dates-of-models': createDatesOfModels,
  '0067-providers': createProviders,
  '0068-aliases': createAliases,
  '0069-request-log': createRequestLog,
  '0070-published-models': createPublishedModels,
  '0071-events': createEvents,
  '0072-video-terms': createVideoTerms,
  '0073-clips': createClips,
  '0075-callback-retries': createCallbackRetries,
  '0077-record-bodies': createRecordBodies,
  '0080-demo': createDemo,
}

export function migrationsWith(columns: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, { up: (db) => run(db, step(columns)) }]),
  )
}

async function run(db: Kysely<unknown>, statements: ReturnType<MigrationStep>): Promise<void> {
  for (const statement of statements)
    await (typeof statement === 'function' ? statement(db) : statement.execute(db))
}
