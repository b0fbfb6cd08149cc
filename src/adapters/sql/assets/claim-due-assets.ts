import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AssetStore, ClaimedAsset } from '../../../ports/asset-store.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { type AssetRow, toStoredAsset } from './to-stored-asset.ts'

type Claim = Parameters<AssetStore['claimDue']>[0]

export async function claimDueAssets(
  db: Kysely<Tables>,
  claim: Claim,
  traits: EngineTraits,
): Promise<ClaimedAsset[]> {
  const { rows } = await claimDueAssetsQuery(claim, traits).execute(db)
  return rows.map((row) => ({ ...toStoredAsset(row), fence: row.fence }))
}

/** As tasks are claimed: `claim-due-tasks.ts` says why. */
export function claimDueAssetsQuery(
  { provider, nowMs, leaseUntilMs, limit }: Claim,
  { lockFreeRows }: EngineTraits,
): RawBuilder<AssetRow> {
  return sql`
    with due as materialized (
      select id from assets
      where provider = ${provider} and status = 'processing' and next_poll_at_ms <= ${nowMs}
      order by next_poll_at_ms limit ${limit} ${lockFreeRows}
    )
    update assets set next_poll_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due) returning *`
}
