import { type GroupCounts, sumOf } from './count-group.ts'
import type { AssetFilter } from './listed-where.ts'
import { reachPage } from './reach-page.ts'

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
