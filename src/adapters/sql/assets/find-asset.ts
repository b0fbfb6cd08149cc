import { type Selectable, sql } from 'kysely'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'

export const FIND_ASSET = {
  find: read(findAsset),
  findAll: read(async (db, { ids, organizationId }) => {
    const found: StoredAsset[] = []
    for (const chunk of inChunks([...new Set(ids)])) {
      const rows = await db
        .selectFrom('assets')
        .selectAll()
        .where('id', 'in', chunk)
        .where('organization_id', '=', organizationId)
        .execute()
      found.push(...rows.map(toStoredAsset))
    }
    return found
  }),
} satisfies Partial<StatementsOf<AssetStore>>

export async function findAsset(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<StoredAsset | undefined> {
  const row = await db
    .selectFrom('assets')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined ? undefined : toStoredAsset(row)
}

/** Columns of an asset. All are short, because the input was checked. */
const NAMES = [
  'id',
  'organization_id',
  'group_id',
  'group_kind',
  'provider',
  'type',
  'name',
  'status',
  'ticket',
  'sealed_url',
  'url_at_ms',
  'error_code',
  'error_message',
  'created_at_ms',
  'updated_at_ms',
] as const

export type AssetRow = Pick<Selectable<Tables['assets']>, (typeof NAMES)[number]>

export const ASSET_COLUMNS = sql.join(NAMES.map((name) => sql.ref(`assets.${name}`)))

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
    encryptedUrl: row.sealed_url,
    urlAtMs: row.url_at_ms,
    error: toError(row),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  }
}

function toError({ error_code: code, error_message: message }: AssetRow): StoredAsset['error'] {
  return code === null || message === null ? null : { code, message }
}
