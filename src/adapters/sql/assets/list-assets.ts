import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ASSET_STATUSES } from '../../../domain/assets/asset.ts'
import type { AssetSortKey, SortOrder } from '../../../domain/assets/asset-query.ts'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import type { Tables } from '../tables.ts'
import { countGroup, sumOf } from './count-group.ts'
import { countNamed } from './count-named.ts'
import { type AssetFilter, listedWhere } from './listed-where.ts'
import { type PageReach, reachPage } from './reach-page.ts'
import { rowsLookedAt } from './rows-looked-at.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './to-stored-asset.ts'

export interface AssetPage extends AssetFilter {
  sortBy: AssetSortKey
  sortOrder: SortOrder
  reach: PageReach
}

type Query = Parameters<AssetStore['list']>[0]

interface Listed {
  assets: StoredAsset[]
  totalCount: number
}

/** What a thread that serves requests can look at in a millisecond or two. */
const ROWS_AT_ONCE_MAX = 2_000

/** Undefined where more rows must be looked at than a short read may: a page far from both ends, or a search by name. */
export async function listAssets(db: Kysely<Tables>, query: Query): Promise<Listed | undefined> {
  return await list(db, query, ROWS_AT_ONCE_MAX)
}

/** However long it takes. */
export async function searchAssets(db: Kysely<Tables>, query: Query): Promise<Listed> {
  return (await list(db, query, Number.POSITIVE_INFINITY)) ?? NOTHING
}

async function list(db: Kysely<Tables>, query: Query, rowsMax: number): Promise<Listed | undefined> {
  const filter = filterOf(query)
  if (filter === undefined) return NOTHING
  const { page, limit, sortBy, sortOrder } = query
  const offset = (page - 1) * limit
  const counts = await countGroup(db, filter)
  if (rowsLookedAt({ filter, counts, offset, limit }) > rowsMax) return undefined
  const totalCount = filter.name === undefined ? sumOf(counts, filter.statuses) : await countNamed(db, filter)
  if (offset >= totalCount) return { assets: [], totalCount }
  const reach = reachPage({ offset, limit, totalCount })
  const { rows } = await listAssetsQuery({ ...filter, sortBy, sortOrder, reach }).execute(db)
  return { assets: rows.map(toStoredAsset), totalCount }
}

/** Undefined: there is nothing to list. */
function filterOf({ organizationId, groupId, statuses, name }: Query): AssetFilter | undefined {
  const listed = ASSET_STATUSES.filter((status) => statuses?.includes(status) ?? true)
  if (groupId === undefined || listed.length === 0) return undefined
  return { organizationId, groupId, statuses: listed, name: name === '' ? undefined : name }
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
    select ${ASSET_COLUMNS} from page join assets on assets.id = page.id
    order by page.sorted_ms ${order}, page.id ${order}`
}

/** A list is of one group, so that its assets are all alike to who sorts by group: their age decides. */
const SORT_COLUMNS = {
  create_time: 'created_at_ms',
  update_time: 'updated_at_ms',
  group_id: 'created_at_ms',
} as const satisfies Record<AssetSortKey, keyof AssetRow>

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const satisfies Record<SortOrder, SortOrder>
