import type { ApiKey, KeyBudget, StoredCaller } from '../domain/access/api-key.ts'
import type { KeepMedia, Organization, OrganizationBudget, User } from '../domain/access/organization.ts'
import type { Micros } from '../domain/billing/micros.ts'
import type { NewAudit } from './audit.ts'
import type { NewCredit } from './ledger.ts'
import type { KeyFilter, OrganizationFilter, PageQuery } from './page-query.ts'

export interface NewOrganization
  extends Pick<Organization, 'id' | 'name' | 'billing' | 'requestsPerMinute' | 'createdAtMs'> {
  encryptedWebhookSecret: string
}

export type NewUser = Pick<User, 'id' | 'organizationId' | 'name' | 'createdAtMs'>

export interface NewApiKey extends Omit<ApiKey, 'revokedAtMs'> {
  digest: string
}

export interface WebhookSecrets {
  encryptedSecret: string
  /** Secret before the last rotation; messages are signed with both until `previousUntilMs`. */
  encryptedPreviousSecret: string | null
  previousUntilMs: number | null
}

export interface FirstTenant {
  organization: NewOrganization
  user: NewUser
  apiKey: NewApiKey
  credit: NewCredit
}

export interface WebhookSecretRotation {
  id: string
  encryptedSecret: string
  previousUntilMs: number
}

export interface UserLimitChange {
  id: string
  maxDailyUserLimit: string
  enableLimit: boolean
}

/** Members that are left out stay unchanged. */
export interface OrganizationChange
  extends Partial<Pick<Organization, 'name' | 'billing' | 'requestsPerMinute' | 'eventsUrl'>>,
    Partial<Pick<Organization, 'keepReplies' | 'recordBodies' | 'callbackRetries' | 'lowBalanceMicros'>> {
  id: string
  keepMedia?: KeepMedia
}

export type OrganizationUpdate =
  | { kind: 'updated'; organization: Organization }
  | { kind: 'not-found' }
  /** The organization cannot become prepaid, because its balance does not cover its holds. */
  | { kind: 'owes'; organization: Organization }

export interface DisabledChange {
  id: string
  /** null enables. Disabling twice keeps the first time. */
  disabledAtMs: number | null
}

export interface BudgetChange {
  id: string
  /** Current month, `YYYY-MM`, in the time zone of the limits. */
  month: string
  /** null: none. */
  monthlyBudgetMicros: Micros | null
  warnPercent: number | null
}

export type KeyBudgetChange = Omit<BudgetChange, 'warnPercent'>

export interface BudgetWarning {
  organizationId: string
  monthlyBudgetMicros: Micros
  usedMicros: Micros
}

export interface ReplyOwners {
  organizationIds: readonly string[]
  userIds: readonly string[]
}

/** Methods of these stores that take an audit row write it together with their change. */
export interface OrganizationStore {
  create(organization: NewOrganization, audit: NewAudit): Promise<void>
  /** Oldest first. */
  list(): Promise<Organization[]>
  page(query: OrganizationFilter): Promise<Organization[]>
  find(id: string): Promise<Organization | undefined>
  findWebhookSecrets(id: string): Promise<WebhookSecrets | undefined>
  /** Makes the current secret the previous one. */
  rotateWebhookSecret(change: WebhookSecretRotation, audit: NewAudit): Promise<boolean>
  update(change: OrganizationChange, audit: NewAudit): Promise<OrganizationUpdate>
  setDisabled(change: DisabledChange, audit: NewAudit): Promise<Organization | undefined>
  /** Recounts the charges of the month. */
  setBudget(change: BudgetChange, audit: NewAudit): Promise<OrganizationBudget | undefined>
  findBudget(query: { id: string; month: string }): Promise<OrganizationBudget | undefined>
  /** Returns organizations that have reached their threshold in this month, each once, and writes their events. */
  claimBudgetWarnings(pass: { month: string; atMs: number }): Promise<BudgetWarning[]>
  /** Lists organizations whose charges and holds exceed their own budget or that of one of their keys. */
  listOverBudget(query: { month: string }): Promise<string[]>
  findDisabled(owners: ReplyOwners): Promise<ReplyOwners>
  /** Makes all rows together, only in a store without organizations. Returns whether it did. */
  createFirst(first: FirstTenant, audit: NewAudit): Promise<boolean>
}

export interface UserStore {
  /** Returns false when the organization does not exist. */
  create(user: NewUser, audit: NewAudit): Promise<boolean>
  list(organizationId: string): Promise<User[]>
  page(query: PageQuery): Promise<User[]>
  find(id: string): Promise<User | undefined>
  /** The audit row gets the user's organization. */
  setLimit(change: UserLimitChange, audit: NewAudit): Promise<User | undefined>
  /** The audit row gets the user's organization. */
  setDisabled(change: DisabledChange, audit: NewAudit): Promise<User | undefined>
}

export interface ApiKeyStore {
  /** Returns false when the user does not exist or belongs to another organization. */
  create(apiKey: NewApiKey, audit: NewAudit): Promise<boolean>
  list(organizationId: string): Promise<ApiKey[]>
  page(query: KeyFilter): Promise<ApiKey[]>
  /** Revoking twice keeps the first time. The audit row gets the key's organization. */
  revoke(
    change: { id: string; revokedAtMs: number },
    audit: NewAudit,
  ): Promise<(ApiKey & { digest: string }) | undefined>
  find(id: string): Promise<ApiKey | undefined>
  /** Makes the successor and ends the old key by `endsAtMs`. Returns undefined for an unknown or revoked key. */
  rotate(
    rotation: { id: string; endsAtMs: number; successor: NewApiKey; month: string },
    audit: NewAudit,
  ): Promise<(ApiKey & { digest: string }) | undefined>
  /** Recounts the charges of the key in the month. Returns undefined for an unknown or revoked key. */
  setBudget(change: KeyBudgetChange, audit: NewAudit): Promise<(KeyBudget & { digest: string }) | undefined>
  findBudget(query: { id: string; month: string }): Promise<KeyBudget | undefined>
  /** Returns undefined for unknown and for revoked keys. Each request checks the expiry itself. */
  findCaller(digest: string): Promise<StoredCaller | undefined>
}
