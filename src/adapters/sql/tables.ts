import type { ColumnType, Generated } from 'kysely'
import type { Billing } from '../../domain/access/organization.ts'
import type { TaskStatus } from '../../domain/video/task.ts'

/** The rows as both engines hand them out; what the engines spell differently is a union here. */
export interface Tables {
  organizations: OrganizationsTable
  users: UsersTable
  api_keys: ApiKeysTable
  models: ModelsTable
  video_tasks: VideoTasksTable
}

interface OrganizationsTable {
  id: string
  name: string
  billing: Billing
  balance_micros: Generated<number>
  held_micros: Generated<number>
  requests_per_minute: number | null
  /** Sealed, like the previous one: the store never sees a secret. */
  webhook_secret: string
  previous_webhook_secret: string | null
  previous_webhook_secret_until_ms: number | null
  created_at_ms: number
}

interface UsersTable {
  id: string
  organization_id: string
  name: string
  /** PostgreSQL hands out `5.250000`, SQLite the number 5.25; `toDecimalString` makes them one. */
  max_daily_user_limit: ColumnType<string | number | null, string | null | undefined, string | null>
  /** SQLite has no booleans: 0 and 1. */
  enable_limit: ColumnType<boolean | number, boolean | undefined, boolean>
  created_at_ms: number
}

interface ApiKeysTable {
  id: string
  organization_id: string
  user_id: string
  name: string
  prefix: string
  digest: string
  requests_per_minute: number | null
  created_at_ms: number
  revoked_at_ms: number | null
}

interface ModelsTable {
  model_id: number
  name: string
  /** A JSON array of endpoint names. */
  endpoints: string | null
  max_output_tokens: number | null
  created_at_ms: number
}

interface VideoTasksTable {
  id: string
  api_key_id: string
  organization_id: string
  user_id: string
  model: string
  status: TaskStatus
  created_at_ms: number
  completed_at_ms: number | null
  deleted_at_ms: number | null
}
