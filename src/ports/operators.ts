import type { OperatorAccount } from '../domain/access/operator-account.ts'
import type { OperatorSession } from '../domain/access/operator-session.ts'
import type { NewAudit } from './audit.ts'
import type { PageQuery } from './page-query.ts'

export interface NewOperatorAccount extends Omit<OperatorAccount, 'revokedAtMs'> {
  digest: string
}

/** Every change is written together with its audit row. */
export interface OperatorStore {
  /** Returns false when the name is taken, even by a revoked operator. */
  create(account: NewOperatorAccount, audit: NewAudit): Promise<boolean>
  list(query: PageQuery): Promise<OperatorAccount[]>
  /** A second revocation keeps the first time. */
  revoke(change: { id: string; revokedAtMs: number }, audit: NewAudit): Promise<OperatorAccount | undefined>
  /** Returns undefined for unknown and for revoked tokens. */
  findByToken(digest: string): Promise<OperatorAccount | undefined>
}

/** Sessions of the console, and the links that open one. Both are found only by their digests. */
export interface OperatorSessionStore {
  /** Keeps the newest `keptMax` sessions of an actor. `replaces` has the digests of a session that ends now. */
  open(
    opened: { digest: string; session: OperatorSession; keptMax: number; replaces?: readonly string[] },
    audit: NewAudit,
  ): Promise<void>
  /** Also finds an expired session, but none of a revoked operator. */
  find(digest: string): Promise<OperatorSession | undefined>
  renew(renewed: { digest: string; expiresAtMs: number }): Promise<void>
  end(digest: string): Promise<void>
  keepLink(link: { digest: string; expiresAtMs: number }): Promise<void>
  /** Returns true once for each link that has not expired. */
  useLink(used: { digest: string; nowMs: number }): Promise<boolean>
  dropExpired(pass: { nowMs: number; limit: number }): Promise<void>
}
