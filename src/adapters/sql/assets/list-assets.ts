import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts'
import type { AssetSortKey, SortOrder } from '../../../domain/assets/asset-query.ts'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { countListed } from './count-listed.ts'
import { type AssetFilter, listedWhere } from './listed-where.ts'
import { type PageReach, reachPage } from './reach-page.ts'
import { type AssetRow, toStoredAsset } from './to-stored-asset.ts'

export interface AssetPage extends AssetFilter {
  sortBy: AssetSortKey
  sortOrder: SortOrder
  reach: PageReach
}

export async function listAssets(
  db: Kysely<Tables>,
  { groupId, statuses, name, page, limit, ...query }: Parameters<AssetStore['list']>[0],
): Promise<{ assets: StoredAsset[]; totalCount: number }> {
  if (groupId === undefined) return NOTHING
  const filter: AssetFilter = {
    organizationId: query.organizationId,
    groupId,
    statuses: ASSET_STATUSES.filter((status) => statuses?.includes(status) ?? true),
    name: name === '' ? undefined : name,
  }
  if (filter.statuses.length === 0) return NOTHING
  const totalCount = await countListed(db, filter)
  const offset = (page - 1) * limit
  if (offset >= totalCount) return { assets: [], totalCount }
  const { sortBy, sortOrder } = query
  const reach = reachPage({ offset, limit, totalCount })
  const { rows } = await listAssetsQuery({ ...filter, sortBy, sortOrder, reach }).execute(db)
  return { assets: rows.map(toStoredAsset), totalCount }
}

const NOTHING = { assets: [], totalCount: 0 }

/** The page is found in an index that is in its order; rows that lie before it are stepped over, and never fetched. */
export function listAssetsQuery({ sortBy, sortOrder, reach, ...filter }: AssetPage): RawBuilder<AssetRow> {
  const moment = sql.ref(SORT_COLUMNS[sortBy])
  const order = sql.raw(sortOrder)
  const walk = sql.raw(reach.fromEnd ? OPPOSITE[sortOrder] : sortOrder)
  return sql`
    with page as (
      select id, ${moment} as sorted_ms from assets where ${listedWhere(filter)}
      order by ${moment} ${walk}, id ${walk} limit ${reach.limit} offset ${reach.offset}
    )
    select assets.* from page join assets on assets.id = page.id
    order by page.sorted_ms ${order}, page.id ${order}`
}

/** A list is of one group, so that its assets are all alike to who sorts by group: their age decides. */
const SORT_COLUMNS = {
  create_time: 'created_at_ms',
  update_time: 'updated_at_ms',
  group_id: 'created_at_ms',
} as const satisfies Record<AssetSortKey, keyof AssetRow>

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const satisfies Record<SortOrder, SortOrder>
