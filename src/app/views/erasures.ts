import type { ErasedFile } from '../../domain/video/clip.ts'
import type { ErasedGroup, PersonReport } from '../../ports/erasures.ts'
import { presentTime } from './times.ts'

export function personJson(input: PersonReport & { consentUrl: string }) {
  const { id, organizationId, provider, createdAtMs, consentUrl, assets } = input
  return {
    group_id: id,
    organization_id: organizationId,
    provider,
    created_at: presentTime(createdAtMs),
    consent_url: consentUrl,
    assets: assets.map((asset) => ({
      id: asset.id,
      asset_type: asset.type,
      name: asset.name,
      status: asset.status,
      created_at: presentTime(asset.createdAtMs),
    })),
  }
}

/** `removing`: copies that the gateway asks the vendor to delete. `to_remove_by_hand`: the operator deletes them. */
export function erasedJson(input: ErasedGroup) {
  const { groupId, provider, groupTicket, isShared, isQueued, assets, files } = input
  const copies = { asset_ids: assets.map(({ ticket }) => ticket), group_id: isShared ? null : groupTicket }
  const none = { asset_ids: [], group_id: null }
  return {
    group_id: groupId,
    erased: true,
    assets: assets.map(({ id }) => id),
    files: filesJson(files),
    removing: { provider, ...(isQueued ? copies : none) },
    to_remove_by_hand: { provider, ...(isQueued ? none : copies) },
  }
}

export function filesJson(files: readonly ErasedFile[]) {
  return files.map(({ sha256, ...of }) => ({
    ...('assetId' in of ? { asset_id: of.assetId } : { task_id: of.taskId }),
    sha256,
  }))
}
