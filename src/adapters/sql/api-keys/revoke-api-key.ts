import type { Kysely } from 'kysely'
import type { ApiKey } from '../../../domain/access/api-key.ts'
import type { Tables } from '../tables.ts'
import { API_KEY_COLUMNS, toApiKey } from './to-api-key.ts'

export async function revokeApiKey(
  db: Kysely<Tables>,
  change: { id: string; revokedAtMs: number },
): Promise<(ApiKey & { digest: string }) | undefined> {
  const row = await db
    .updateTable('api_keys')
    .set((key) => ({ revoked_at_ms: key.fn.coalesce('revoked_at_ms', key.val(change.revokedAtMs)) }))
    .where('id', '=', change.id)
    .returning([...API_KEY_COLUMNS, 'digest'])
    .executeTakeFirst()
  return row === undefined ? undefined : { ...toApiKey(row), digest: row.digest }
}
