import type { Generated } from 'kysely'
import type { Role } from '../../domain/access/operator-account.ts'

export interface OperatorsTable {
  id: string
  name: string
  role: Role
  prefix: string
  digest: string
  created_at_ms: number
  revoked_at_ms: Generated<number | null>
}

/** The table has one row. */
export interface ProviderChangesTable {
  id: number
  version: number
}

export interface ProvidersTable {
  id: string
  name: string
  driver: string
  /** JSON. */
  settings: string
  /** JSON. */
  models: string | null
  sealed_secrets: string | null
  state: 'active' | 'disabled'
  version: number
  created_at_ms: number
  changed_at_ms: number
}
