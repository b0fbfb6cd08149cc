import type { Kysely } from 'kysely'
import type { ApiKey } from '../../../domain/access/api-key.ts'
import type { Tables } from '../tables.ts'
import { API_KEY_COLUMNS, toApiKey } from './to-api-key.ts'

/** Oldest first, revoked ones too. */
export async function listApiKeys(
  db: Kysely<Tables>,
  { organizationId }: { organizationId: string },
): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(API_KEY_COLUMNS)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute()
  return rows.map(toApiKey)
}
