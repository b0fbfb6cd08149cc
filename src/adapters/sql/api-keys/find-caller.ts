import type { Kysely } from 'kysely'
import type { Caller } from '../../../domain/access/caller.ts'
import type { Tables } from '../tables.ts'

/** Asks for the user too: whoever deletes one by hand, with references unchecked, has shut out the keys as well. */
export async function findCaller(
  db: Kysely<Tables>,
  { digest }: { digest: string },
): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select([
      'api_keys.id',
      'api_keys.organization_id',
      'api_keys.user_id',
      'api_keys.requests_per_minute as key_requests_per_minute',
      'organizations.requests_per_minute as organization_requests_per_minute',
    ])
    .where('api_keys.digest', '=', digest)
    .where('api_keys.revoked_at_ms', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    keyId: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    keyRequestsPerMinute: row.key_requests_per_minute,
    organizationRequestsPerMinute: row.organization_requests_per_minute,
  }
}
