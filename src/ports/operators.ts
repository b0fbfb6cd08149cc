import type { OperatorAccount } from '../domain/access/operator-account.ts'
import type { OperatorSession } from '../domain/access/operator-session.ts'
import type { NewAudit } from './audit.ts'
import type { PageQuery } from './page-query.ts'

export interface NewOperatorAccount extends Omit<OperatorAccount, 'revokedAtMs'> {
  digest: string
}

/** Every change is written together with its audit row; without a change there is no row. */
export interface OperatorStore {
  /** Returns false when the name is taken, also by a revoked operator. */
  create(account: NewOperatorAccount, audit: NewAudit): Promise<boolean>
  list(query: PageQuery): Promise<OperatorAccount[]>
  /** Revoking twice keeps the first time. Undefined when there is no such operator. */
  revoke(change: { id: string; revokedAtMs: number }, audit: NewAudit): Promise<OperatorAccount | undefined>
  /** Returns undefined for unknown and for revoked tokens. */
  findByToken(digest: string): Promise<OperatorAccount | undefined>
}

/** Sessions of the console, and the links that open one. Both are found by their digests only. */
export interface OperatorSessionStore {
  /** Keeps the newest `keptMax` sessions of an actor. `replaces` are the digests of a session that ends with it. */
  open(
    opened: { digest: string; session: OperatorSession; keptMax: number; replaces?: readonly string[] },
    audit: NewAudit,
  ): Promise<void>
  /** Finds a session, also an expired one; undefined when its operator was revoked. */
  find(digest: string): Promise<OperatorSession | undefined>
  renew(renewed: { digest: string; expiresAtMs: number }): Promise<void>
  end(digest: string): Promise<void>
  keepLink(link: { digest: string; expiresAtMs: number }): Promise<void>
  /** Returns true once for each link, and never when it has expired. */
  useLink(used: { digest: string; nowMs: number }): Promise<boolean>
  /** Drops expired sessions and links. */
  dropExpired(pass: { nowMs: number; limit: number }): Promise<void>
}
