import type { Selectable } from 'kysely'
import type { StoredAsset } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'

export type AssetRow = Selectable<Tables['assets']>

export function toStoredAsset(row: AssetRow): StoredAsset {
  return {
    id: row.id,
    organizationId: row.organization_id,
    groupId: row.group_id,
    groupKind: row.group_kind,
    provider: row.provider,
    type: row.type,
    name: row.name,
    status: row.status,
    ticket: row.ticket,
    sealedUrl: row.sealed_url,
    urlAtMs: row.url_at_ms,
    error: toError(row),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  }
}

function toError({ error_code: code, error_message: message }: AssetRow): StoredAsset['error'] {
  return code === null || message === null ? null : { code, message }
}
