import type { Kysely } from 'kysely'
import type { Organization } from '../../../domain/access/organization.ts'
import type { Tables } from '../tables.ts'
import { ORGANIZATION_COLUMNS, toOrganization } from './to-organization.ts'

export async function findOrganization(
  db: Kysely<Tables>,
  { id }: { id: string },
): Promise<Organization | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select(ORGANIZATION_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toOrganization(row)
}
