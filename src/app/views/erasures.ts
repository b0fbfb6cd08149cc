import type { ErasedGroup, PersonReport } from '../../ports/erasures.ts'
import { presentTime } from './times.ts'

export function personJson({ id, organizationId, provider, createdAtMs, assets }: PersonReport) {
  return {
    group_id: id,
    organization_id: organizationId,
    provider,
    created_at: presentTime(createdAtMs),
    assets: assets.map((asset) => ({
      id: asset.id,
      asset_type: asset.type,
      name: asset.name,
      status: asset.status,
      created_at: presentTime(asset.createdAtMs),
    })),
  }
}

/** The receipt of an erasure. `to_remove_by_hand` are the vendor's own ids of copies that it still has. */
export function erasedJson({ groupId, provider, groupTicket, isShared, assets }: ErasedGroup) {
  return {
    group_id: groupId,
    erased: true,
    assets: assets.map(({ id }) => id),
    to_remove_by_hand: {
      provider,
      asset_ids: assets.map(({ ticket }) => ticket),
      group_id: isShared ? null : groupTicket,
    },
  }
}
