import { sql } from 'kysely'
import type { AssetStore } from '../../../ports/asset-store.ts'
import type { Far } from '../../../ports/tasks.ts'
import { bringForward } from '../bring-forward.ts'
import { claimRows, type Queue } from '../fair-claim.ts'
import { type StatementsOf, single } from '../statement.ts'
import { ASSET_COLUMNS, type AssetRow, toStoredAsset } from './find-asset.ts'

export const CLAIM_DUE_ASSETS = {
  claimDue: single(async (db, claim, traits) => {
    const { rows, more } = await claimRows(db, dueAssets(claim.provider), claim, traits)
    return { assets: rows.map(({ fence, ...row }) => ({ ...toStoredAsset(row), fence })), more }
  }),

  bringForward: single(bringForward(({ provider }: Far & { provider: string }) => dueAssets(provider).queue)),
  /** Does nothing for an old fence. */
  reschedule: single(async (db, { id, fence, nextPollAtMs }) => {
    await sql`
      update assets set next_poll_at_ms = ${nextPollAtMs}
      where id = ${id} and fence = ${fence} and status = 'processing'`.execute(db)
  }),
} satisfies Partial<StatementsOf<AssetStore>>

export function dueAssets(provider: string) {
  const waiting = sql`provider = ${provider} and status = 'processing'`
  const queue: Queue = { table: 'assets', waiting, dueColumn: 'next_poll_at_ms' }
  return { queue, columns: sql<AssetRow & { fence: number }>`${ASSET_COLUMNS}, fence` }
}
