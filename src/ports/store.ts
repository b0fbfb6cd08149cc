import type { AssetStore, VerificationStore } from './asset-store.ts'
import type { AuditStore } from './audit.ts'
import type { CallbackStore } from './callbacks.ts'
import type { DeploymentStore } from './deployment.ts'
import type { LedgerStore } from './ledger.ts'
import type { ModelStore } from './models.ts'
import type { RequestClaimStore } from './request-claims.ts'
import type { TaskStore } from './tasks.ts'
import type { ApiKeyStore, OrganizationStore, UserStore } from './tenants.ts'
import type { UsageStore } from './usage.ts'
import type { VendorIdStore } from './vendor-ids.ts'

/**
 * Durable rows. A write that has resolved survives kill -9 and power loss.
 * Every method rejects with `ApiError('store_unavailable')` while the engine is unreachable.
 */
export interface Store {
  organizations: OrganizationStore
  users: UserStore
  apiKeys: ApiKeyStore
  models: ModelStore
  tasks: TaskStore
  callbacks: CallbackStore
  assets: AssetStore
  verifications: VerificationStore
  ledger: LedgerStore
  usage: UsageStore
  vendorIds: VendorIdStore
  requestClaims: RequestClaimStore
  audit: AuditStore
  deployment: DeploymentStore
  /** Resolves when the engine can read and write. */
  ping(): Promise<void>
  /** Finishes what was accepted, then lets go. */
  close(): Promise<void>
}
