import { sql } from 'kysely'
import { ASSET_STATUSES, type AssetStatus } from '../../../domain/assets/asset.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Db } from '../tables.ts'

interface CountedAsset {
  organizationId: string
  groupId: string
  status: AssetStatus
}

/**
 * Counts an asset after its change, in the same transaction. A transaction that changes two counts begins
 * with `processing`: one lock order prevents deadlocks.
 */
export async function incrementCount(db: Db, counted: CountedAsset): Promise<void> {
  await sql`
    insert into asset_counts (organization_id, group_id, status, assets)
    values (${counted.organizationId}, ${counted.groupId}, ${counted.status}, 1)
    on conflict (organization_id, group_id, status)
    do update set assets = asset_counts.assets + 1`.execute(db)
}

export async function decrementCount(db: Db, counted: CountedAsset): Promise<void> {
  await sql`
    update asset_counts set assets = assets - 1
    where organization_id = ${counted.organizationId} and group_id = ${counted.groupId}
      and status = ${counted.status}`.execute(db)
}

export type GroupCounts = Readonly<Record<AssetStatus, number>>

const findCounts = hotStatement(
  ({ organizationId, groupId }: { organizationId: string; groupId: string }) =>
    sql<{ status: AssetStatus; assets: number }>`
      select status, assets from asset_counts
      where organization_id = ${organizationId} and group_id = ${groupId}`,
)

export async function countGroup(
  db: Db,
  { organizationId, groupId }: { organizationId: string; groupId: string },
): Promise<GroupCounts> {
  const { rows } = await findCounts(db, { organizationId, groupId })
  const counts = { processing: 0, active: 0, failed: 0 }
  for (const { status, assets } of rows) counts[status] = assets
  return counts
}

export function sumOf(counts: GroupCounts, statuses: readonly AssetStatus[] = ASSET_STATUSES): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0)
}
