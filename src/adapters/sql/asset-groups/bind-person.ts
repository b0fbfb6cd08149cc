import { type Kysely, sql } from 'kysely'
import type { StoredGroup } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { type GroupRow, toStoredGroup } from './to-stored-group.ts'

/** A row that is already there is written as it is: only a row that was written is returned. */
export async function bindPerson(db: Kysely<Tables>, group: StoredGroup): Promise<StoredGroup> {
  const { id, organizationId, provider, ticket, createdAtMs } = group
  const { rows } = await sql<GroupRow>`
    insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
    values (${id}, ${organizationId}, 'person', ${provider}, ${ticket}, ${createdAtMs})
    on conflict (organization_id, provider, ticket) where kind = 'person' do update set ticket = excluded.ticket
    returning *`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`the group ${id} was not stored`)
  return toStoredGroup(row)
}
