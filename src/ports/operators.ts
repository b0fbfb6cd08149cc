import type { OperatorAccount } from '../domain/access/operator-account.ts'
import type { OperatorSession } from '../domain/access/operator-session.ts'
import type { NewAudit } from './audit.ts'
import type { PageQuery } from './page-query.ts'

export interface NewOperatorAccount extends Omit<OperatorAccount, 'revokedAtMs'> {
  digest: string
}

/** Every change brings its audit row, written with it or, when nothing changed, not at all. */
export interface OperatorStore {
  /** False when the name is taken, also by an operator that was revoked. */
  create(account: NewOperatorAccount, audit: NewAudit): Promise<boolean>
  list(query: PageQuery): Promise<OperatorAccount[]>
  /** Revoking twice keeps the first moment. Undefined when there is no such operator. */
  revoke(change: { id: string; revokedAtMs: number }, audit: NewAudit): Promise<OperatorAccount | undefined>
  /** Undefined for unknown and for revoked tokens alike. */
  findByToken(digest: string): Promise<OperatorAccount | undefined>
}

/** Sessions of the console, and the links that open one. Both are found by their digests alone. */
export interface OperatorSessionStore {
  /** Of one actor the newest `keptMax` stay. `replaces`: the digests of a session that ends with it. */
  open(
    opened: { digest: string; session: OperatorSession; keptMax: number; replaces?: readonly string[] },
    audit: NewAudit,
  ): Promise<void>
  /** Also one that is over; undefined when its operator was revoked. */
  find(digest: string): Promise<OperatorSession | undefined>
  renew(renewed: { digest: string; expiresAtMs: number }): Promise<void>
  end(digest: string): Promise<void>
  keepLink(link: { digest: string; expiresAtMs: number }): Promise<void>
  /** True once for each link, and never when it is over. */
  useLink(used: { digest: string; nowMs: number }): Promise<boolean>
  /** Links too. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<void>
}
