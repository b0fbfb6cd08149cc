import { type RawBuilder, sql } from 'kysely'
import type { AssetStore } from '../../../ports/asset-store.ts'
import type { Far } from '../../../ports/tasks.ts'
import { bringForward } from '../bring-forward.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { countByOrganization, dueRows, type Queue, shareOut } from '../fair-claim.ts'
import { type StatementsOf, single } from '../statement.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './find-asset.ts'

export const CLAIM_DUE_ASSETS = {
  claimDue: single(async (db, claim, traits) => {
    const { shares, moreAfter } = await shareOut(db, dueAssets(claim.provider), claim)
    if (shares.length === 0) return { assets: [], more: moreAfter(new Map()) }
    const { rows } = await claimDueAssetsQuery({ ...claim, shares }, traits).execute(db)
    return {
      assets: rows.map(({ fence, ...row }) => ({ ...toStoredAsset(row), fence })),
      more: moreAfter(countByOrganization(rows.map(({ organizationId }) => organizationId))),
    }
  }),

  bringForward: single(bringForward(({ provider }: Far & { provider: string }) => dueAssets(provider))),
  /** Does nothing for an old fence. */
  reschedule: single(async (db, { id, fence, nextPollAtMs }) => {
    await sql`
      update assets set next_poll_at_ms = ${nextPollAtMs}
      where id = ${id} and fence = ${fence} and status = 'processing'`.execute(db)
  }),
} satisfies Partial<StatementsOf<AssetStore>>

type DueAssetsClaim = Parameters<AssetStore['claimDue']>[0]

export function dueAssets(provider: string): Queue {
  const waiting = sql`provider = ${provider} and status = 'processing'`
  return { table: 'assets', waiting, dueColumn: 'next_poll_at_ms' }
}

export function claimDueAssetsQuery(
  input: Pick<DueAssetsClaim, 'provider' | 'nowMs' | 'leaseUntilMs'> & {
    shares: Parameters<typeof dueRows>[1]
  },
  { lockRowsSkippingLocked }: EngineTraits,
): RawBuilder<AssetRow & { fence: number }> {
  const { provider, nowMs, leaseUntilMs, shares } = input
  return sql`
    with due as materialized (${dueRows(dueAssets(provider), shares, { nowMs, lockRowsSkippingLocked })})
    update assets set next_poll_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due) returning ${ASSET_COLUMNS}, fence`
}
