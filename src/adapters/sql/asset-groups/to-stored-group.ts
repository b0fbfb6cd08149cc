import type { Selectable } from 'kysely'
import type { StoredGroup } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'

export type GroupRow = Selectable<Tables['asset_groups']>

export function toStoredGroup(row: GroupRow): StoredGroup {
  return {
    id: row.id,
    organizationId: row.organization_id,
    kind: row.kind,
    provider: row.provider,
    ticket: row.ticket,
    createdAtMs: row.created_at_ms,
  }
}
