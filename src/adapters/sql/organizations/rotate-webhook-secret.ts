import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

export async function rotateWebhookSecret(
  db: Kysely<Tables>,
  change: { id: string; sealedSecret: string; previousUntilMs: number },
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
  return numUpdatedRows > 0n
}
