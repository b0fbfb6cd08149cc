import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeAllowances } from './allowance-contract.ts'
import { describeApiKeys } from './api-keys-contract.ts'
import { describeAssetClaims } from './asset-claims-contract.ts'
import { describeAssetGroups } from './asset-groups-contract.ts'
import { describeAssetList } from './asset-list-contract.ts'
import { describeAssets } from './assets-contract.ts'
import { describeAudit } from './audit-contract.ts'
import { describeBudgets } from './budgets-contract.ts'
import { describeCallbacks } from './callbacks-contract.ts'
import { describeChargeCheck } from './charge-check-contract.ts'
import { describeCharges } from './charges-contract.ts'
import { describeClips } from './clips-contract.ts'
import { describeCredit } from './credit-contract.ts'
import { describeErasures } from './erasures-contract.ts'
import { describeEvents } from './events-contract.ts'
import { describeIdempotency } from './idempotency-contract.ts'
import { describeKeptValues } from './kept-values-contract.ts'
import { describeLateErasures } from './late-erasures-contract.ts'
import { describeLedgerCheck } from './ledger-check-contract.ts'
import { describeLedger } from './ledger-contract.ts'
import { describeLife } from './life-contract.ts'
import { describeModelAliases } from './model-aliases-contract.ts'
import { describeModelRemoval } from './model-removal-contract.ts'
import { describeModels } from './models-contract.ts'
import type { OpenedStore } from './opened-store.ts'
import { describeOrganizations } from './organizations-contract.ts'
import { describePageFilters } from './page-filters-contract.ts'
import { describeProviders } from './providers-contract.ts'
import { describeReceipts } from './receipts-contract.ts'
import { describeRecountedBudgets } from './recounted-budgets-contract.ts'
import { describeRequestClaims } from './request-claims-contract.ts'
import { describeRequestLog } from './request-log-contract.ts'
import { describeRetention } from './retention-contract.ts'
import { describeRollups } from './rollups-contract.ts'
import { describeTaskClaims } from './task-claims-contract.ts'
import { describeTaskDetails } from './task-details-contract.ts'
import { describeTaskFinding } from './task-finding-contract.ts'
import { describeTaskHandOver } from './task-hand-over-contract.ts'
import { describeTaskLife } from './task-life-contract.ts'
import { describeTaskMoves } from './task-moves-contract.ts'
import { describeTasks } from './tasks-contract.ts'
import { describeTextRefunds } from './text-refund-contract.ts'
import { describeUsageCheck } from './usage-check-contract.ts'
import { describeUsage } from './usage-contract.ts'
import { describeUsageSums } from './usage-sums-contract.ts'
import { describeUsers } from './users-contract.ts'
import { describeVendorIds } from './vendor-ids-contract.ts'
import { describeVerifications } from './verifications-contract.ts'

const EMPTYING = [
  'clips',
  'audit_events',
  'kept_values',
  'receipts',
  'receipt_keys',
  'vendor_ids',
  'providers',
  'provider_changes',
  'vendor_removals',
  'text_usage',
  'refused_requests',
  'log_spans',
  'log_span_values',
  'usage_rollup_hour',
  'usage_rollup_day',
  'usage_rollup_day_model',
  'usage_rollup_day_key',
  'usage_retention',
  'ledger_entries',
  'holds',
  'user_days',
  'idempotency_keys',
  'request_claims',
  'callback_attempts',
  'task_attempts',
  'video_callbacks',
  'video_tasks',
  'verifications',
  'asset_counts',
  'assets',
  'default_group_claims',
  'asset_groups',
  'revocations',
  'events',
  'provider_outages',
  'api_keys',
  'users',
  'organizations',
  'model_aliases',
  'models',
]
  .map((table) => `delete from ${table};`)
  .join(' ')

/** Contract of every engine. */
export function describeStore(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store on ${name}`, () => {
    let opened: OpenedStore
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.cleanUp())
    beforeEach(() => opened.runAll(EMPTYING))

    describeOrganizations(() => opened)
    describeUsers(() => opened)
    describeApiKeys(() => opened)
    describeBudgets(() => opened)
    describeRecountedBudgets(() => opened)
    describe('rows that are old', () => describeRetention(() => opened))
    describe('erasures', () => describeErasures(() => opened))
    describeLateErasures(() => opened)
    describeEvents(() => opened)
    describeTextRefunds(() => opened)
    describeModels(() => opened)
    describeProviders(() => opened)
    describeModelAliases(() => opened)
    describeModelRemoval(() => opened)
    describeTasks(() => opened)
    describeTaskDetails(() => opened)
    describeTaskLife(() => opened)
    describeTaskHandOver(() => opened)
    describeTaskMoves(() => opened)
    describeTaskFinding(() => opened)
    describeTaskClaims(() => opened)
    describeIdempotency(() => opened)
    describeCallbacks(() => opened)
    describeClips(() => opened)
    describeAssetGroups(() => opened)
    describeAssets(() => opened)
    describeAssetClaims(() => opened)
    describeAssetList(() => opened)
    describeVerifications(() => opened)
    describeAudit(() => opened)
    describePageFilters(() => opened)
    describeLedger(() => opened)
    describeCredit(() => opened)
    describeLedgerCheck(() => opened)
    describeUsageCheck(() => opened)
    describeChargeCheck(() => opened)
    describeAllowances(() => opened)
    describeUsage(() => opened)
    describeRollups(() => opened)
    describeCharges(() => opened)
    describeUsageSums(() => opened)
    describeKeptValues(() => opened)
    describeVendorIds(() => opened)
    describeReceipts(() => opened)
    describeRequestClaims(() => opened)
    describeRequestLog(() => opened)
    describeLife(() => opened)
  })
}
