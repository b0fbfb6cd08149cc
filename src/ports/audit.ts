import type { PageQuery } from './page-query.ts'

/**
 * Actor of an act: `cli`, `gateway` for the gateway by itself, `person` for a verified person who revoked the consent,
 * `admin key` for a request with that key (`admin-api` on the routes that sync caches), else the name of an operator.
 */
export type Actor = string

/** One act of an operator or of the gateway, written in the transaction of the change. */
export interface NewAudit {
  id: string
  atMs: number
  actor: Actor
  /** Noun and verb, such as `credit.add` or `user.limit`. */
  action: string
  organizationId: string | null
  /** Id of the affected row. */
  subject: string
  /** Claim of the admin request: done with the change, otherwise the change is not made. */
  claimId?: string | undefined
  /** Figures and texts that are no secret. */
  detail: Readonly<Record<string, string | number | boolean | null>>
}

export interface AuditFilter extends PageQuery {
  actor?: Actor | undefined
  action?: string | undefined
  subject?: string | undefined
}

export interface AuditStore {
  /** Adds a row for an act that changes no row of the store. */
  add(audit: NewAudit): Promise<void>
  /** Lists rows newest first; of every organization when none is named. */
  list(query: AuditFilter): Promise<NewAudit[]>
}
