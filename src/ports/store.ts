import type { AdminRequestStore } from './admin-requests.ts'
import type { AssetStore, VerificationStore } from './asset-store.ts'
import type { AuditStore } from './audit.ts'
import type { CallbackStore } from './callbacks.ts'
import type { ClipStore } from './clips.ts'
import type { DemoStore } from './demo.ts'
import type { ErasureStore } from './erasures.ts'
import type { EventStore } from './events.ts'
import type { KeptValueStore } from './kept-values.ts'
import type { LedgerStore } from './ledger.ts'
import type { StoreFigures } from './metrics.ts'
import type { ModelStore } from './models.ts'
import type { OperatorPageStore } from './operator-pages.ts'
import type { OperatorSessionStore, OperatorStore } from './operators.ts'
import type { ProviderStore } from './providers.ts'
import type { ReceiptStore } from './receipts.ts'
import type { RequestClaimStore, VendorIdStore } from './request-claims.ts'
import type { RequestLogStore } from './request-log.ts'
import type { RetentionStore } from './retention.ts'
import type { SecretChangeStore } from './secret-change.ts'
import type { SecretState } from './secrets.ts'
import type { TaskDetailsStore } from './task-details.ts'
import type { TaskStore } from './tasks.ts'
import type { ApiKeyStore, OrganizationStore, UserStore } from './tenants.ts'
import type { UsageStore } from './usage.ts'
import type { UsageReportStore } from './usage-reports.ts'

/** Durable rows: a resolved write survives kill -9 and power loss. An unreachable store rejects with `store_unavailable`. */
export interface Store {
  organizations: OrganizationStore
  users: UserStore
  apiKeys: ApiKeyStore
  operators: OperatorStore
  operatorSessions: OperatorSessionStore
  operatorPages: OperatorPageStore
  adminRequests: AdminRequestStore
  models: ModelStore
  providers: ProviderStore
  tasks: TaskStore & TaskDetailsStore
  callbacks: CallbackStore
  clips: ClipStore
  events: EventStore
  assets: AssetStore
  verifications: VerificationStore
  erasures: ErasureStore
  ledger: LedgerStore
  usage: UsageStore
  usageReports: UsageReportStore
  receipts: ReceiptStore
  requestLog: RequestLogStore
  vendorIds: VendorIdStore
  requestClaims: RequestClaimStore
  keptValues: KeptValueStore
  audit: AuditStore
  demo: DemoStore
  retention: RetentionStore
  deployment: DeploymentStore
  secretChange: SecretChangeStore
  ping(): Promise<void>
  /** Finishes accepted work, then closes. */
  close(): Promise<void>
}

/** The row that all replicas share, and the open work of the deployment. */
export interface DeploymentStore {
  countOpenWork(at: { nowMs: number }): Promise<StoreFigures>
  /** undefined: no server has started on this store yet. */
  findSecretState(): Promise<SecretState | undefined>
  /** Stores the check of the secret if there is none. Returns the stored state. */
  keepSecretCheck(kept: { encrypted: string; atMs: number }): Promise<SecretState>
  /** Writes, so that a full disk is noticed, and returns the check. */
  probe(probe: { atMs: number }): Promise<string | undefined>
}
