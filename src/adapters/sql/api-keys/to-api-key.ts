import type { Selectable } from 'kysely'
import type { ApiKey } from '../../../domain/access/api-key.ts'
import type { Tables } from '../tables.ts'

export const API_KEY_COLUMNS = [
  'id',
  'organization_id',
  'user_id',
  'name',
  'prefix',
  'requests_per_minute',
  'created_at_ms',
  'revoked_at_ms',
] as const

type Row = Pick<Selectable<Tables['api_keys']>, (typeof API_KEY_COLUMNS)[number]>

export function toApiKey(row: Row): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    requestsPerMinute: row.requests_per_minute,
    createdAtMs: row.created_at_ms,
    revokedAtMs: row.revoked_at_ms,
  }
}
