import type { Generated } from 'kysely'
import type { Role } from '../../domain/access/operator-account.ts'
import type { SignInMethod } from '../../domain/access/operator-session.ts'

/** The table has one row. */
export interface DeploymentTable {
  id: number
  sealed: string
  probed_at_ms: number
  sealed_previous: string | null
  sealed_mark_key: string | null
  unnamed_secret: string | null
  switched_at_ms: number | null
}

export interface OperatorsTable {
  id: string
  name: string
  role: Role
  prefix: string
  digest: string
  created_at_ms: number
  revoked_at_ms: Generated<number | null>
}

export interface AdminRequestsTable {
  id: string
  actor: string
  key_digest: string
  body_digest: string
  state: 'claimed' | 'done' | 'finished'
  lease_until_ms: number
  expires_at_ms: number
  sealed_answer: string | null
}

export interface OperatorSessionsTable {
  digest: string
  actor: string
  role: Role
  method: SignInMethod
  operator_id: string | null
  binding: string
  created_at_ms: number
  expires_at_ms: number
  ends_at_ms: number
}

export interface SignInLinksTable {
  digest: string
  expires_at_ms: number
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
