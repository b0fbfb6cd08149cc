import type { Kysely } from 'kysely'
import type { ApiKey } from '../../../domain/access/api-key.ts'
import type { NewAudit } from '../../../ports/audit.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'
import { API_KEY_COLUMNS, toApiKey } from './to-api-key.ts'

const RETURNED = [...API_KEY_COLUMNS, 'digest'] as const

/** A key that was revoked before is only read: nothing changed, and there is nothing to answer for. */
export async function revokeApiKey(
  db: Kysely<Tables>,
  { change, audit }: { change: { id: string; revokedAtMs: number }; audit: NewAudit },
): Promise<(ApiKey & { digest: string }) | undefined> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at_ms: change.revokedAtMs })
    .where('id', '=', change.id)
    .where('revoked_at_ms', 'is', null)
    .returning(RETURNED)
    .executeTakeFirst()
  if (revoked !== undefined) await insertAudit(db, { ...audit, organizationId: revoked.organization_id })
  const row = revoked ?? (await findKey(db, change.id))
  return row === undefined ? undefined : { ...toApiKey(row), digest: row.digest }
}

function findKey(db: Kysely<Tables>, id: string) {
  return db.selectFrom('api_keys').select(RETURNED).where('id', '=', id).executeTakeFirst()
}
