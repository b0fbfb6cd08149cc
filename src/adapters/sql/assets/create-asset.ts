import { type Selectable, sql } from 'kysely'
import type { AssetStore } from '../../../ports/asset-store.ts'
import { columnsOf } from '../columns-of.ts'
import { queueCopies } from '../erasures/vendor-removals.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { incrementCount } from './count-asset.ts'
import { foldName } from './list-assets.ts'

export const CREATE_ASSET = {
  /** Locks the group first, like an erasure, so that no asset is stored after its group was erased. */
  create: write(async (db, asset, vendorCopy, { lockRows }) => {
    const { id, organizationId, groupId, type, name, ticket, createdAtMs, nextPollAtMs } = asset
    const { rows } = await sql<Pick<Selectable<Tables['asset_groups']>, 'kind' | 'provider'>>`
      select kind, provider from asset_groups
      where id = ${groupId} and organization_id = ${organizationId} ${lockRows}`.execute(db)
    const group = rows[0]
    if (group === undefined) {
      if (vendorCopy !== undefined)
        await queueCopies(db, { ...vendorCopy, assets: [{ ticket }] }, { organizationId, atMs: createdAtMs })
      return false
    }
    await db
      .insertInto('assets')
      .values({
        ...columnsOf({ id, organizationId, groupId, type, name, ticket, createdAtMs, nextPollAtMs }),
        group_kind: group.kind,
        provider: group.provider,
        folded_name: name === null ? null : foldName(name),
        status: 'processing',
        updated_at_ms: createdAtMs,
      })
      .execute()
    await incrementCount(db, { organizationId, groupId, status: 'processing' })
    return true
  }),
} satisfies Partial<StatementsOf<AssetStore>>
