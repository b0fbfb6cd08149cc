import type { PageQuery } from './page-query.ts'

/**
 * Who did it: `cli`, `gateway` for the gateway by itself, `person` for a verified person who took the consent back, `admin key` for a request with that key (`admin-api` on the
 * routes that sync caches), else the name of an operator, who showed a token.
 */
export type Actor = string

/** One act of an operator or of the gateway, written in the transaction of the change itself. */
export interface NewAudit {
  id: string
  atMs: number
  actor: Actor
  /** Noun and verb, such as `credit.add` or `user.limit`. */
  action: string
  organizationId: string | null
  /** The id of the row it is about. */
  subject: string
  /** Of the admin request that asked for it: done with the change, or the change is not made. */
  claimId?: string | undefined
  /** Figures and words that are no secret. */
  detail: Readonly<Record<string, string | number | boolean | null>>
}

/** What an operator narrows the audit log by. */
export interface AuditFilter extends PageQuery {
  actor?: Actor | undefined
  action?: string | undefined
  subject?: string | undefined
}

export interface AuditStore {
  /** For acts that change no row of the store. */
  add(audit: NewAudit): Promise<void>
  /** Newest first; of every organization when none is named. */
  list(query: AuditFilter): Promise<NewAudit[]>
}
