import type { Generated } from 'kysely'
import type { OperatorAccount } from '../../domain/access/operator-account.ts'
import type { StoredProvider } from '../../ports/providers.ts'
import type { ColumnsOf } from './columns-of.ts'

export interface OperatorsTable extends ColumnsOf<Omit<OperatorAccount, 'revokedAtMs'>> {
  digest: string
  revoked_at_ms: Generated<number | null>
}

/** The table has one row. */
export interface ProviderChangesTable {
  id: number
  version: number
}

export interface ProvidersTable
  extends ColumnsOf<Pick<StoredProvider, 'id' | 'name' | 'driver' | 'state' | 'version'>>,
    ColumnsOf<Pick<StoredProvider, 'createdAtMs' | 'changedAtMs'>> {
  /** JSON. */
  settings: string
  /** JSON. */
  models: string | null
  sealed_secrets: string | null
}
