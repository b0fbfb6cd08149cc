/** Who did it: a person at the command line, the holder of the admin key, or the gateway by itself. */
export type Actor = 'cli' | 'admin-api' | 'gateway'

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
  /** Figures and words that are no secret. */
  detail: Readonly<Record<string, string | number | boolean | null>>
}

export interface AuditStore {
  /** For acts that change no row of the store. */
  add(audit: NewAudit): Promise<void>
  /** Newest first. */
  list(query: { limit: number }): Promise<NewAudit[]>
}
