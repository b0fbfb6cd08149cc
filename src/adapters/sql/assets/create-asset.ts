import type { Kysely } from 'kysely'
import type { NewAsset } from '../../../ports/asset-store.ts'
import { findGroup } from '../asset-groups.ts'
import type { Tables } from '../tables.ts'
import { countIn } from './count-asset.ts'
import { foldName } from './list-assets.ts'

export async function createAsset(db: Kysely<Tables>, asset: NewAsset): Promise<void> {
  const { id, organizationId, groupId, name } = asset
  const group = await findGroup(db, { id: groupId, organizationId })
  if (group === undefined) throw new Error(`there is no group ${groupId} of ${organizationId}`)
  await db
    .insertInto('assets')
    .values({
      id,
      organization_id: organizationId,
      group_id: groupId,
      group_kind: group.kind,
      provider: group.provider,
      type: asset.type,
      name,
      folded_name: name === null ? null : foldName(name),
      status: 'processing',
      ticket: asset.ticket,
      created_at_ms: asset.createdAtMs,
      updated_at_ms: asset.createdAtMs,
      next_poll_at_ms: asset.nextPollAtMs,
    })
    .execute()
  await countIn(db, { organizationId, groupId, status: 'processing' })
}
