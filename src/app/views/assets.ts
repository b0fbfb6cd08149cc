import type { StoredAsset, StoredGroup, StoredVerification } from '../../ports/asset-store.ts'
import { presentTime, timeOrNull } from './times.ts'

/** Leaves out the link, which only the owner may open. */
export function assetJson(asset: StoredAsset) {
  return {
    id: asset.id,
    organization_id: asset.organizationId,
    group_id: asset.groupId,
    group_kind: asset.groupKind,
    provider: asset.provider,
    asset_type: asset.type,
    name: asset.name,
    status: asset.status,
    upstream_id: asset.ticket,
    error: asset.error,
    created_at: presentTime(asset.createdAtMs),
    updated_at: presentTime(asset.updatedAtMs),
  }
}

export function groupJson(group: StoredGroup) {
  return {
    id: group.id,
    organization_id: group.organizationId,
    kind: group.kind,
    provider: group.provider,
    upstream_id: group.ticket,
    created_at: presentTime(group.createdAtMs),
  }
}

export function verificationJson(verification: StoredVerification) {
  return {
    id: verification.id,
    organization_id: verification.organizationId,
    provider: verification.provider,
    language: verification.language,
    created_at: presentTime(verification.createdAtMs),
    expires_at: presentTime(verification.expiresAtMs),
    ended_at: timeOrNull(verification.endedAtMs),
  }
}
