import type { ApiKey } from '../domain/access/api-key.ts'
import type { Billing, Organization } from '../domain/access/organization.ts'
import type { User } from '../domain/access/user.ts'

/**
 * What the command line may ask for: one entry per use case, put together in `compose.ts`.
 * A row that does not exist rejects with `Refusal('not_found')` and a message that names it.
 */
export interface Operator {
  createOrganization(command: {
    name: string
    billing: Billing
    requestsPerMinute: number | null
  }): Promise<{ organization: Organization; webhookSecret: string }>
  listOrganizations(): Promise<Organization[]>
  showOrganization(id: string): Promise<Organization>
  showWebhookSecret(organizationId: string): Promise<string>
  /** Returns the new secret; signatures carry the old one too for 24 hours. */
  rotateWebhookSecret(organizationId: string): Promise<string>
  createUser(command: { organizationId: string; name: string }): Promise<User>
  listUsers(organizationId: string): Promise<User[]>
  setUserLimit(command: { id: string; maxDailyUserLimit: string; enableLimit: boolean }): Promise<User>
  /** `key` is the secret itself, returned only here. */
  createKey(command: {
    organizationId: string
    userId: string
    name: string
    requestsPerMinute: number | null
  }): Promise<{ apiKey: ApiKey; key: string }>
  listKeys(organizationId: string): Promise<ApiKey[]>
  /** Takes effect at once where Redis carries the news, within 5 s everywhere. */
  revokeKey(id: string): Promise<ApiKey>
}
