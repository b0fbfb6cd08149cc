import type { Kysely } from 'kysely'
import type { Organization } from '../../../domain/access/organization.ts'
import type { Tables } from '../tables.ts'
import { ORGANIZATION_COLUMNS, toOrganization } from './to-organization.ts'

export async function listOrganizations(
  db: Kysely<Tables>,
  _all: Record<string, never>,
): Promise<Organization[]> {
  const rows = await db
    .selectFrom('organizations')
    .select(ORGANIZATION_COLUMNS)
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute()
  return rows.map(toOrganization)
}
