import type { PageQuery } from './page-query.ts'

/**
 * Name of an operator, or one of: `cli`; `gateway` for work of the gateway itself; `person` for a person who revoked the
 * consent; `admin key` for a request with the admin key; `admin-api` for a request that syncs caches with that key.
 */
export type Actor = string

export interface NewAudit {
  id: string
  atMs: number
  actor: Actor
  /** Noun and verb, such as `credit.add` or `user.limit`. */
  action: string
  organizationId: string | null
  subject: string
  /** Claim of the admin request. The change fails if this claim cannot become `done`. */
  claimId?: string | undefined
  /** Contains no secrets. Undefined members are not stored. */
  detail: Readonly<Record<string, string | number | boolean | null | undefined>>
}

export interface AuditFilter extends PageQuery {
  actor?: Actor | undefined
  action?: string | undefined
  subject?: string | undefined
}

export interface AuditStore {
  /** Adds a row for an act that changes no other row. */
  add(audit: NewAudit): Promise<void>
  list(query: AuditFilter): Promise<NewAudit[]>
}
