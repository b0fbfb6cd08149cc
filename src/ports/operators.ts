import type { OperatorAccount } from '../domain/access/operator-account.ts'
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
