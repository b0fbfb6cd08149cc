import type { ApiKey, KeyBudget } from '../domain/access/api-key.ts'
import type { OperatorAccount, Role } from '../domain/access/operator-account.ts'
import type { Organization, OrganizationBudget, User } from '../domain/access/organization.ts'
import type { ModelAlias } from '../domain/catalog/alias.ts'
import type { CatalogEntry, PricedModel } from '../domain/catalog/model.ts'
import type { amountNameOf, PriceRow } from '../domain/catalog/price-row.ts'
import type { ErasedFile } from '../domain/video/clip.ts'
import type { StoredVerification } from '../ports/asset-store.ts'
import type { AuditFilter, NewAudit } from '../ports/audit.ts'
import type { CallbackAttempt } from '../ports/callbacks.ts'
import type { StoredClip } from '../ports/clips.ts'
import type { ErasedGroup, GroupRef, PersonReport } from '../ports/erasures.ts'
import type { EventFilter, StoredEvent } from '../ports/events.ts'
import type { CreditedOrganization, NewCredit, NewRefund, RefundOutcome } from '../ports/ledger.ts'
import type {
  AttemptQuery,
  LedgerEntry,
  ListedAttempt,
  OperatorPageStore,
  SeenSnapshot,
  VerificationState,
} from '../ports/operator-pages.ts'
import type { KeyFilter, OrganizationFilter, PageQuery, TaskFilter } from '../ports/page-query.ts'
import type {
  BudgetChange,
  KeyBudgetChange,
  NewApiKey,
  NewOrganization,
  NewUser,
  OrganizationChange,
  UserLimitChange,
} from '../ports/tenants.ts'
import type { RotateSecret } from './access/rotate-secret.ts'
import type { LedgerReport } from './billing/check-ledger.ts'
import type { ReconcileBill } from './billing/reconcile-bill.ts'
import type { PlannedModel } from './catalog/plan-catalog.ts'
import type { KeepProviders } from './providers/keep-providers.ts'
import type { ListReceiptKeys, RotateReceiptKey } from './receipts/signing-keys.ts'
import type { ListRequests } from './requests/list-requests.ts'
import type { ShowBody } from './requests/show-body.ts'
import type { ExportFocus } from './usage/export-focus.ts'
import type { ShowOverview } from './usage/show-overview.ts'
import type { ShowUsage } from './usage/show-usage.ts'
import type { SumUsage } from './usage/sum-usage.ts'
import type { TaskReport } from './video/task-report.ts'

export interface OperatorPages extends Omit<OperatorPageStore, 'verifications' | 'attempts'> {
  /** `host` is the host of the callback URL, never the whole URL; null: the URL cannot be decrypted. */
  attempts(query: AttemptQuery): Promise<(ListedAttempt & { host: string | null })[]>
  verifications(query: PageQuery & { state?: VerificationState | undefined }): Promise<StoredVerification[]>
  organizations(query: OrganizationFilter): Promise<Organization[]>
  users(query: PageQuery): Promise<User[]>
  keys(query: KeyFilter): Promise<ApiKey[]>
  operators(query: PageQuery): Promise<OperatorAccount[]>
  audit(query: AuditFilter): Promise<NewAudit[]>
}

export interface TaskHistory {
  task: TaskReport
  snapshots: SeenSnapshot[]
  entries: LedgerEntry[]
  attempts: CallbackAttempt[]
  clips: StoredClip[]
}

/** Use cases of the command line and the admin API. An unknown row rejects with `ApiError('not_found')`. */
export interface Operator extends KeepProviders {
  pages: OperatorPages
  showUser(id: string): Promise<User>
  showKey(id: string): Promise<ApiKey>
  showTaskHistory(id: string): Promise<TaskHistory>
  createOrganization(
    command: Pick<NewOrganization, 'name' | 'billing' | 'requestsPerMinute'>,
  ): Promise<{ organization: Organization; webhookSecret: string }>
  listOrganizations(): Promise<Organization[]>
  showOrganization(id: string): Promise<Organization>
  /** Rejects a change to prepaid with `ApiError('invalid_parameter')` while the holds exceed the balance. */
  updateOrganization(change: OrganizationChange): Promise<Organization>
  /** Takes effect within 5 s everywhere: keys of the organization get `organization_disabled`, and running streams end. */
  disableOrganization(id: string): Promise<Organization>
  enableOrganization(id: string): Promise<Organization>
  /** Sets a budget per calendar month; holds and earlier charges of this month count. */
  setBudget(command: Omit<BudgetChange, 'month'>): Promise<OrganizationBudget>
  showBudget(organizationId: string): Promise<OrganizationBudget>
  /** `consentUrl` is the page where the person can revoke the consent. */
  showPerson(group: GroupRef): Promise<PersonReport & { consentUrl: string }>
  /** Erases group, portraits and verification. The result names the copies that the vendor still has. */
  erasePerson(group: GroupRef): Promise<ErasedGroup>
  /** Erases names, assets and people, and revokes keys; the ledger stays. */
  eraseOrganization(id: string): Promise<{ id: string; groups: ErasedGroup[]; files: ErasedFile[] }>
  eraseUser(id: string): Promise<{ id: string; organizationId: string }>
  showWebhookSecret(organizationId: string): Promise<string>
  /** Returns the new secret. Callbacks are signed with both secrets for 24 hours. */
  rotateWebhookSecret(organizationId: string): Promise<string>
  createUser(command: Pick<NewUser, 'organizationId' | 'name'>): Promise<User>
  listUsers(organizationId: string): Promise<User[]>
  setUserLimit(command: UserLimitChange): Promise<User>
  /** Takes effect within 5 s everywhere: keys of the user get `user_disabled`. */
  disableUser(id: string): Promise<User>
  enableUser(id: string): Promise<User>
  /** `key` is the secret itself, returned only here. Optional members that are left out are null. */
  createKey(
    command: Pick<NewApiKey, 'organizationId' | 'userId' | 'name' | 'requestsPerMinute'> &
      Partial<Pick<NewApiKey, 'expiresAtMs' | 'allowedModels' | 'monthlyBudgetMicros'>>,
  ): Promise<{ apiKey: ApiKey; key: string }>
  /** Sets a budget per calendar month; null: no budget. Takes effect as fast as `revokeKey`. */
  setKeyBudget(command: Omit<KeyBudgetChange, 'month'>): Promise<KeyBudget>
  showKeyBudget(id: string): Promise<KeyBudget>
  /** Makes a successor that keeps the month's spending. The old key works `overlapMs` longer, never beyond its expiry. */
  rotateKey(command: { id: string; overlapMs: number }): Promise<{ apiKey: ApiKey; key: string; old: ApiKey }>
  listKeys(organizationId: string): Promise<ApiKey[]>
  /** Takes effect immediately where replicas share a Redis, within 5 s everywhere. */
  revokeKey(id: string): Promise<ApiKey>
  /**
   * A negative amount lowers the balance and requires a note. A prepaid organization can lose at most its free balance.
   * `entryId` comes from an earlier attempt whose response was lost: sending it again is idempotent.
   */
  addCredit(
    command: Omit<NewCredit, 'entryId' | 'atMs'> & { entryId?: string },
  ): Promise<CreditedOrganization>
  showCredit(organizationId: string): Promise<Organization>
  sumUsage: SumUsage
  showUsage: ShowUsage
  showOverview: ShowOverview
  listRequests: ListRequests
  showBody: ShowBody
  exportFocus: ExportFocus
  checkLedger(): Promise<LedgerReport>
  reconcileBill: ReconcileBill
  /**
   * Refunds the charge of a task (`task_`), a text request (`req_`) or its usage row (`use_`), in one part or several that
   * together are at most the charge. `entryId` works as for `addCredit`.
   */
  refundTask(
    command: Omit<NewRefund, 'entryId' | 'atMs'> & { entryId?: string },
  ): Promise<Omit<Extract<RefundOutcome, { kind: 'refunded' }>, 'kind'>>
  /** Lists tasks, the newest first. `isStuck` selects tasks that are set aside, and open tasks without news for long. */
  listTasks(query: Omit<TaskFilter, 'silentSinceMs'> & { isStuck?: boolean }): Promise<TaskReport[]>
  showTask(id: string): Promise<TaskReport>
  /** Makes a task due again that was set aside, by its id or its request id. Returns the task id. */
  resumeTask(id: string): Promise<string>
  countTasksSetAside(): Promise<number>
  /** Returns the latest attempts, oldest first; of every task when none is named. */
  listCallbacks(query: { taskId: string | undefined; limit: number }): Promise<CallbackAttempt[]>
  /** Makes the callback of an ended task due again, with the full number of attempts. */
  resendCallback(taskId: string): Promise<string>
  /** Sends a test callback once. When no answer comes, `error` is a short word. */
  testCallback(command: {
    organizationId: string
    url: string
  }): Promise<{ id: string; status: number | null; error: string | null; durationMs: number }>
  listEvents(query: EventFilter): Promise<StoredEvent[]>
  /** Makes an event due again, with its id and the full number of attempts. */
  resendEvent(id: string): Promise<StoredEvent>
  /** Sends a test event to `EVENTS_URL`, and to the named organization. Returns the stored event for operators. */
  testEvent(command: { organizationId: string | null }): Promise<StoredEvent>
  listModels(): Promise<PricedModel[]>
  /** Replaces all prices of one model. An invalid row rejects with `ApiError('invalid_parameter')`. */
  setPrices(command: {
    modelId: number
    /** Only the amount for the price row's unit is set. */
    prices: readonly (Omit<PriceRow, 'priceMicros'> & {
      amounts: Record<ReturnType<typeof amountNameOf>, number | undefined>
    })[]
  }): Promise<PlannedModel>
  /** Returns the planned changes in the catalog's order. Rejects with `ApiError` when a number or name is taken. */
  planCatalog(entries: readonly CatalogEntry[]): Promise<PlannedModel[]>
  applyCatalog(entries: readonly CatalogEntry[]): Promise<PlannedModel[]>
  /**
   * Adds one model from YAML or JSON, with the members of a catalog file except `model_id`. A name in use, a model without
   * a price or an unknown member rejects with `ApiError('invalid_parameter')`.
   */
  addModel(text: string): Promise<PlannedModel>
  /** Changes the members of a model that the text has; other members stay. */
  updateModel(name: string, text: string): Promise<PlannedModel>
  /** Removes a model that an operator added, and that no other model, no alias and no open video task needs. */
  removeModel(name: string): Promise<PricedModel>
  /** Sorted by alias. */
  listAliases(): Promise<ModelAlias[]>
  /** Adds an alias or points it to another model; `was` is the previous model, null for a new alias. */
  setAlias(alias: ModelAlias): Promise<ModelAlias & { was: string | null }>
  removeAlias(alias: Pick<ModelAlias, 'alias' | 'organizationId'>): Promise<ModelAlias>
  /** Encrypts the store again with the current secret, as far as is possible now. */
  rotateSecret: RotateSecret
  /** Makes a new key that signs receipts; receipts of earlier keys stay valid. */
  rotateReceiptKey: RotateReceiptKey
  listReceiptKeys: ListReceiptKeys
  /** `token` is the secret itself, returned only here. */
  createOperator(command: { name: string; role: Role }): Promise<{ account: OperatorAccount; token: string }>
  /** Lists the customers of the demo. */
  listDemo(): Promise<string[]>
  /** Deletes the customers of the demo with all their rows, also those of the ledger. */
  removeDemo(): Promise<{ organizationIds: string[] }>
  /** Takes effect immediately for the token, and within 5 s for sessions of the console. */
  revokeOperator(id: string): Promise<OperatorAccount>
}

/** Use cases that need a running gateway, because they call vendors. */
export interface GatewayOperator extends Operator {
  /** Rejects with `ApiError('task_not_deletable')` when the task has ended or runs, or its vendor cannot delete. */
  cancelTask(id: string): Promise<TaskReport>
  /** undefined: this gateway cannot make a demo. */
  demo: DemoFiller | undefined
}

/** Fills the store with an invented month of traffic of three customers. */
export interface DemoFiller {
  /** Resolves when the work has begun or is done; rejects when the store must not be filled. */
  fill(): Promise<void>
  isFilling(): boolean
}

export interface DemoReport {
  organizationIds: string[]
  requests: number
  videos: number
}
