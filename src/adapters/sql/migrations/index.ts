import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
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

/** Forward only, in the order of their names. One that has been released is never changed: add another. */
export function migrationsWith(columns: ColumnTypes): Record<string, Migration> {
  return {
    '0001-tenants': { up: createTenants(columns) },
    '0002-models': { up: createModels(columns) },
    '0003-video-tasks': { up: createVideoTasks(columns) },
    '0004-prices': { up: createPrices(columns) },
    '0005-ledger': { up: createLedger(columns) },
    '0006-usage': { up: createUsage(columns) },
    '0007-audit': { up: createAudit(columns) },
    '0008-callbacks': { up: createCallbacks(columns) },
    '0009-video-work': { up: createVideoWork(columns) },
    '0010-assets': { up: createAssets(columns) },
    '0011-verification-ends': { up: createVerificationEnds(columns) },
    '0012-fallbacks': { up: createFallbacks(columns) },
    '0013-request-claims': { up: createRequestClaims(columns) },
    '0014-context-tokens': { up: createContextTokens(columns) },
    '0015-surcharges': { up: createSurcharges(columns) },
    '0016-ledger-proof': { up: createLedgerProof(columns) },
    '0017-fair-claims': { up: createFairClaims(columns) },
    '0019-vendor-ids': { up: createVendorIds(columns) },
    '0020-deployment': { up: createDeployment(columns) },
    '0021-like-model': { up: createLikeModel(columns) },
    '0022-usage-rollups': { up: createUsageRollups(columns) },
    '0023-disabling': { up: createDisabling(columns) },
    '0024-key-terms': { up: createKeyTerms(columns) },
    '0025-budgets': { up: createBudgets(columns) },
    '0026-text-refunds': { up: createTextRefunds(columns) },
    '0027-key-budgets': { up: createKeyBudgets(columns) },
    '0028-vendor-removals': { up: createVendorRemovals(columns) },
    '0029-retention': { up: createRetention() },
    '0030-operators': { up: createOperators(columns) },
    '0031-pages': { up: createPages() },
    '0032-admin-requests': { up: createAdminRequests(columns) },
    '0033-task-snapshots': { up: createTaskSnapshots(columns) },
    '0034-page-filters': { up: createPageFilters() },
    '0039-operator-sessions': { up: createOperatorSessions(columns) },
    '0040-secret-change': { up: createSecretChange(columns) },
    '0042-closed-days': { up: createClosedDays(columns) },
    '0044-kept-values': { up: createKeptValues(columns) },
    '0047-quotes': { up: createQuotes(columns) },
    '0048-receipts': { up: createReceipts(columns) },
    '0050-stand-ins': { up: createStandIns(columns) },
    '0052-routes': { up: createRoutes(columns) },
    '0054-consent': { up: createConsent(columns) },
    '0055-organization-events': { up: createOrganizationEvents(columns) },
    '0056-task-groups': { up: createTaskGroups(columns) },
    '0059-search-and-vendor-prices': { up: createSearchAndVendorPrices(columns) },
    '0060-kept-requests': { up: createKeptRequests(columns) },
    '0061-late-consent': { up: createLateConsent(columns) },
    '0062-receipts-of-requests': { up: createReceiptsOfRequests(columns) },
    '0063-requests-of-tasks': { up: createRequestsOfTasks(columns) },
    '0064-keep-replies': { up: createKeepReplies(columns) },
    '0065-erased-users': { up: createErasedUsers(columns) },
  }
}
