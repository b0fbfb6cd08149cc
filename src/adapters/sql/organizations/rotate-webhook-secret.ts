import type { Kysely } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { SecretRotation } from '../../../ports/tenants.ts'
import { insertAudit } from '../audit/insert-audit.ts'
import type { Tables } from '../tables.ts'

export async function rotateWebhookSecret(
  db: Kysely<Tables>,
  { change, audit }: { change: SecretRotation; audit: NewAudit },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set((row) => ({
      webhook_secret: change.sealedSecret,
      previous_webhook_secret: row.ref('webhook_secret'),
      previous_webhook_secret_until_ms: change.previousUntilMs,
    }))
    .where('id', '=', change.id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await insertAudit(db, audit)
  return true
}
