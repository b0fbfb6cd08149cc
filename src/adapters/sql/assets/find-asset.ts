import { sql } from 'kysely'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import { columnsAs, type NamedRow } from '../columns-as.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'

export const FIND_ASSET = {
  find: read(findAsset),
  findAll: read(async (db, { ids, organizationId }) => {
    const found: StoredAsset[] = []
    for (const chunk of inChunks([...new Set(ids)])) {
      const { rows } = await sql<AssetRow>`
        select ${ASSET_COLUMNS} from assets
        where id in (${sql.join(chunk)}) and organization_id = ${organizationId}`.execute(db)
      found.push(...rows.map(toStoredAsset))
    }
    return found
  }),
} satisfies Partial<StatementsOf<AssetStore>>

export async function findAsset(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<StoredAsset | undefined> {
  const { rows } = await sql<AssetRow>`
    select ${ASSET_COLUMNS} from assets where id = ${id} and organization_id = ${organizationId}`.execute(db)
  return rows[0] && toStoredAsset(rows[0])
}

export const ASSET_COLUMNS = columnsAs(
  'assets',
  [
    'id',
    'organizationId',
    'groupId',
    'groupKind',
    'provider',
    'type',
    'name',
    'status',
    'ticket',
    'urlAtMs',
    'errorCode',
    'errorMessage',
    'createdAtMs',
    'updatedAtMs',
  ],
  { encryptedUrl: 'sealed_url' },
)

export type AssetRow = NamedRow<typeof ASSET_COLUMNS>

export function toStoredAsset(row: AssetRow): StoredAsset {
  const { errorCode: code, errorMessage: message } = row
  return {
    id: row.id,
    organizationId: row.organizationId,
    groupId: row.groupId,
    groupKind: row.groupKind,
    provider: row.provider,
    type: row.type,
    name: row.name,
    status: row.status,
    ticket: row.ticket,
    encryptedUrl: row.encryptedUrl,
    urlAtMs: row.urlAtMs,
    error: code === null || message === null ? null : { code, message },
    createdAtMs: row.createdAtMs,
    updatedAtMs: row.updatedAtMs,
  }
}
