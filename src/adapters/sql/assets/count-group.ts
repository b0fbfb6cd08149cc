import { type Kysely, sql } from 'kysely'
import { ASSET_STATUSES, type AssetStatus } from '../../../domain/assets/asset.ts'
import type { Tables } from '../tables.ts'

/** How many assets of a group stand where, as it is kept beside them. */
export type GroupCounts = Readonly<Record<AssetStatus, number>>

export async function countGroup(
  db: Kysely<Tables>,
  { organizationId, groupId }: { organizationId: string; groupId: string },
): Promise<GroupCounts> {
  const { rows } = await sql<{ status: AssetStatus; assets: number }>`
    select status, assets from asset_counts
    where organization_id = ${organizationId} and group_id = ${groupId}`.execute(db)
  const counts = { processing: 0, active: 0, failed: 0 }
  for (const { status, assets } of rows) counts[status] = assets
  return counts
}

export function sumOf(counts: GroupCounts, statuses: readonly AssetStatus[] = ASSET_STATUSES): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0)
}
