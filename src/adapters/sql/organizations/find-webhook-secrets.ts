import type { Kysely } from 'kysely'
import type { WebhookSecrets } from '../../../ports/tenants.ts'
import type { Tables } from '../tables.ts'

export async function findWebhookSecrets(
  db: Kysely<Tables>,
  { id }: { id: string },
): Promise<WebhookSecrets | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select(['webhook_secret', 'previous_webhook_secret', 'previous_webhook_secret_until_ms'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    sealedSecret: row.webhook_secret,
    sealedPreviousSecret: row.previous_webhook_secret,
    previousUntilMs: row.previous_webhook_secret_until_ms,
  }
}
