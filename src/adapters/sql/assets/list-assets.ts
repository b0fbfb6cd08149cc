import { type RawBuilder, sql } from 'kysely'
import { ASSET_STATUSES, type AssetStatus } from '../../../domain/assets/asset.ts'
import type { AssetSortKey, SortOrder } from '../../../domain/assets/asset-query.ts'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import { firstOf, read, readLong, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'
import { countGroup, type GroupCounts, sumOf } from './count-asset.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './find-asset.ts'
import { type PageReach, reachPage } from './reach-page.ts'

export const LIST_ASSETS = {
  list: firstOf(read(listAssets), readLong(searchAssets)),
} satisfies Partial<StatementsOf<AssetStore>>

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
export async function listAssets(db: Db, query: Query): Promise<Listed | undefined> {
  return await list(db, query, ROWS_AT_ONCE_MAX)
}

/** However long it takes. */
export async function searchAssets(db: Db, query: Query): Promise<Listed> {
  return (await list(db, query, Number.POSITIVE_INFINITY)) ?? NOTHING
}

async function list(db: Db, query: Query, rowsMax: number): Promise<Listed | undefined> {
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

/** Names must be looked at one by one. */
async function countNamed(db: Db, filter: AssetFilter): Promise<number> {
  const { rows } = await sql<{ assets: number }>`
    select count(*) as assets from assets where ${listedWhere(filter)}`.execute(db)
  return rows[0]?.assets ?? 0
}

/** A name has 64 characters, of which folding makes 18 each at the most; SQLite refuses patterns of 50,000 bytes. */
const FOLDED_LENGTH_MAX = 4_096

/** For `like ... escape '\'` on a folded name: the part stands for itself, anywhere in the name. Undefined: in none. */
export function namePattern(part: string): string | undefined {
  const folded = foldName(part)
  if (folded.length > FOLDED_LENGTH_MAX) return undefined
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`
}

/** How many entries of an index a page costs, at the most. */
export function rowsLookedAt({
  filter: { statuses, name },
  counts,
  offset,
  limit,
}: {
  filter: Pick<AssetFilter, 'statuses' | 'name'>
  counts: GroupCounts
  offset: number
  limit: number
}): number {
  const ofGroup = sumOf(counts)
  if (name !== undefined) return ofGroup
  const totalCount = sumOf(counts, statuses)
  if (offset >= totalCount) return 0
  const reach = reachPage({ offset, limit, totalCount })
  // One status has an index of its own; in that of the whole group the others lie in between.
  const inBetween = statuses.length === 1 ? 0 : ofGroup - totalCount
  return reach.offset + reach.limit + inBetween
}

interface AssetFilter {
  organizationId: string
  groupId: string
  /** At least one, each once. */
  statuses: readonly AssetStatus[]
  name: string | undefined
}

/** Which assets are listed. The statuses stand in the text, not among the parameters: planners see how rare they are. */
function listedWhere({ organizationId, groupId, statuses, name }: AssetFilter): RawBuilder<unknown> {
  const ofGroup = sql`organization_id = ${organizationId} and group_id = ${groupId}`
  const conditions =
    name === undefined
      ? [ofGroup, ...ofStatuses(statuses)]
      : [ofGroup, ...exceptOthers(statuses), named(name)]
  return sql.join(conditions, sql` and `)
}

/** One status is a range of an index of its own. */
function ofStatuses(statuses: readonly AssetStatus[]): RawBuilder<unknown>[] {
  const [first, ...more] = statuses
  return first !== undefined && more.length === 0 ? [sql`status = ${sql.lit(first)}`] : exceptOthers(statuses)
}

/**
 * Keeps a planner on the index of the whole group, which has status and name beside the order: shown what to look for,
 * it would gather that elsewhere, and then fetch or sort it all.
 */
function exceptOthers(statuses: readonly AssetStatus[]): RawBuilder<unknown>[] {
  const others = ASSET_STATUSES.filter((status) => !statuses.includes(status))
  return others.map((status) => sql`status <> ${sql.lit(status)}`)
}

function named(part: string): RawBuilder<unknown> {
  const pattern = namePattern(part)
  return pattern === undefined ? sql`1 = 0` : sql`folded_name like ${pattern} escape '\\'`
}

/**
 * Names that differ only in case, in width or in how an accent is written fold to one. It is done here because the
 * engines disagree beyond ASCII. Upper case, because lower case has two letters for one sigma and none for `SS`.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toUpperCase().normalize('NFC')
}
