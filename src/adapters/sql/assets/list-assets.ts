import { type RawBuilder, sql } from 'kysely'
import { ASSET_STATUSES, type AssetStatus } from '../../../domain/assets/asset.ts'
import type { AssetSortKey, SortOrder } from '../../../domain/assets/asset-query.ts'
import type { AssetStore, StoredAsset } from '../../../ports/asset-store.ts'
import { firstOf, read, readLong, type StatementsOf } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'
import { countGroup, type GroupCounts, sumOf } from './count-asset.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './find-asset.ts'

export const LIST_ASSETS = {
  list: firstOf(read(listAssets), readLong(searchAssets)),
} satisfies Partial<StatementsOf<AssetStore>>

export interface AssetPage extends GroupAssetFilter {
  sortBy: AssetSortKey
  sortOrder: SortOrder
  reach: PageReach
}

type AssetListQuery = Parameters<AssetStore['list']>[0]

interface AssetList {
  assets: StoredAsset[]
  totalCount: number
}

/** Number of rows that the main thread reads in one or two milliseconds. */
const SHORT_READ_ROWS_MAX = 2_000

/** Lists assets; undefined for a long read: a page may read more than `SHORT_READ_ROWS_MAX` index entries. */
export async function listAssets(db: Db, query: AssetListQuery): Promise<AssetList | undefined> {
  return await list(db, query, SHORT_READ_ROWS_MAX)
}

export async function searchAssets(db: Db, query: AssetListQuery): Promise<AssetList> {
  return (await list(db, query, Number.POSITIVE_INFINITY)) ?? NOTHING
}

async function list(db: Db, query: AssetListQuery, rowsMax: number): Promise<AssetList | undefined> {
  const filter = filterOf(query)
  if (filter === undefined) return NOTHING
  const { page, limit, sortBy, sortOrder } = query
  const offset = (page - 1) * limit
  const counts = await countGroup(db, filter)
  if (rowsRead({ filter, counts, offset, limit }) > rowsMax) return undefined
  const totalCount = filter.name === undefined ? sumOf(counts, filter.statuses) : await countNamed(db, filter)
  if (offset >= totalCount) return { assets: [], totalCount }
  const reach = reachPage({ offset, limit, totalCount })
  const { rows } = await listAssetsQuery({ ...filter, sortBy, sortOrder, reach }).execute(db)
  return { assets: rows.map(toStoredAsset), totalCount }
}

/** Returns undefined for a query that matches no asset. */
function filterOf({ organizationId, groupId, statuses, name }: AssetListQuery): GroupAssetFilter | undefined {
  const listed = ASSET_STATUSES.filter((status) => statuses?.includes(status) ?? true)
  if (groupId === undefined || listed.length === 0) return undefined
  return { organizationId, groupId, statuses: listed, name: name === '' ? undefined : name }
}

const NOTHING = { assets: [], totalCount: 0 }

/** Finds the page in the index of its order, which skips the rows before the page without fetching them. */
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

/** Columns by sort key. A list has one group, so the order by group is the order by creation. */
const SORT_COLUMNS = {
  create_time: 'created_at_ms',
  update_time: 'updated_at_ms',
  group_id: 'created_at_ms',
} as const satisfies Record<AssetSortKey, keyof Tables['assets']>

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const satisfies Record<SortOrder, SortOrder>

async function countNamed(db: Db, filter: GroupAssetFilter): Promise<number> {
  const { rows } = await sql<{ assets: number }>`
    select count(*) as assets from assets where ${listedWhere(filter)}`.execute(db)
  return rows[0]?.assets ?? 0
}

/** Maximum length of a pattern, above that of any folded name; SQLite refuses 50,000 bytes. */
const FOLDED_LENGTH_MAX = 4_096

/** Returns a pattern for `like ... escape '\'`, or undefined for a part that no name can contain. */
export function namePattern(part: string): string | undefined {
  const folded = foldName(part)
  if (folded.length > FOLDED_LENGTH_MAX) return undefined
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`
}

/** Returns the maximum number of index entries that a page reads. */
export function rowsRead(input: {
  filter: Pick<GroupAssetFilter, 'statuses' | 'name'>
  counts: GroupCounts
  offset: number
  limit: number
}): number {
  const { filter, counts, offset, limit } = input
  const { statuses, name } = filter
  const ofGroup = sumOf(counts)
  if (name !== undefined) return ofGroup
  const totalCount = sumOf(counts, statuses)
  if (offset >= totalCount) return 0
  const reach = reachPage({ offset, limit, totalCount })
  // A single status has its own index. The group's index also has entries of other statuses between.
  const inBetween = statuses.length === 1 ? 0 : ofGroup - totalCount
  return reach.offset + reach.limit + inBetween
}

interface GroupAssetFilter {
  organizationId: string
  groupId: string
  /** At least one status, without repetition. */
  statuses: readonly AssetStatus[]
  name: string | undefined
}

/** Conditions of a list. The statuses are literals, so that planners know how rare they are. */
function listedWhere({ organizationId, groupId, statuses, name }: GroupAssetFilter): RawBuilder<unknown> {
  const ofGroup = sql`organization_id = ${organizationId} and group_id = ${groupId}`
  const conditions =
    name === undefined
      ? [ofGroup, ...ofStatuses(statuses)]
      : [ofGroup, ...exceptOthers(statuses), named(name)]
  return sql.join(conditions, sql` and `)
}

/** Uses one range of the index by status for a single status. */
function ofStatuses(statuses: readonly AssetStatus[]): RawBuilder<unknown>[] {
  const [first, ...more] = statuses
  return first !== undefined && more.length === 0 ? [sql`status = ${sql.lit(first)}`] : exceptOthers(statuses)
}

/**
 * Keeps a planner on the index of the group, which also contains status and name. With `status in (...)` it
 * would use another index, and fetch or sort all rows.
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
 * Returns the same text for names that differ only in case, in width or in the encoding of an accent. The
 * program folds names, because the engines disagree beyond ASCII. The fold is to upper case, because lower case
 * keeps two letters for one sigma, and does not make `ß` and `SS` equal.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toUpperCase().normalize('NFC')
}

/** Access to a page: the end to start from, the rows to skip, and the rows on it. */
export interface PageReach {
  fromEnd: boolean
  offset: number
  limit: number
}

/** Reads a page of the second half from the end, because the cost of a deep page is skipping rows. */
export function reachPage(input: { offset: number; limit: number; totalCount: number }): PageReach {
  const { offset, limit, totalCount } = input
  const onPage = Math.min(limit, totalCount - offset)
  const after = totalCount - offset - onPage
  return after < offset
    ? { fromEnd: true, offset: after, limit: onPage }
    : { fromEnd: false, offset, limit: onPage }
}
