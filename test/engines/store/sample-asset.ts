import type {
  AssetStore,
  NewAsset,
  NewVerification,
  StoredAsset,
  StoredGroup,
  StoredVerification,
} from '../../../src/ports/asset-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import { HOUR_MS } from './sample-money.ts'
import { MORNING_MS, sampleAudit, sampleOrganization } from './sample-rows.ts'

export type AssetMove = Parameters<AssetStore['move']>[0]

export function sampleGroup(part: Partial<StoredGroup> = {}): StoredGroup {
  return {
    id: 'grp_1',
    organizationId: 'org_1',
    kind: 'default',
    provider: 'vendorA',
    ticket: 'group-ticket-1',
    createdAtMs: MORNING_MS,
    ...part,
  }
}

export function sampleAsset(part: Partial<NewAsset> = {}): NewAsset {
  return {
    id: 'ast_1',
    organizationId: 'org_1',
    groupId: 'grp_1',
    type: 'Image',
    name: 'Portrait of Zoë',
    ticket: 'asset-ticket-1',
    createdAtMs: MORNING_MS,
    nextPollAtMs: MORNING_MS + 5_000,
    ...part,
  }
}

/** Stored asset before the vendor's first report. */
export function processing({ nextPollAtMs: _poll, ...asset }: NewAsset): StoredAsset {
  return {
    ...asset,
    groupKind: 'default',
    provider: 'vendorA',
    status: 'processing',
    encryptedUrl: null,
    urlAtMs: null,
    error: null,
    updatedAtMs: asset.createdAtMs,
  }
}

export function sampleAssetMove(status: AssetMove['status'], part: Partial<AssetMove> = {}): AssetMove {
  return {
    id: 'ast_1',
    organizationId: 'org_1',
    status,
    encryptedUrl: status === 'active' ? 'sealed-url' : null,
    error: status === 'failed' ? { code: 'face_mismatch', message: 'Another person.' } : null,
    atMs: MORNING_MS + 1_000,
    ...part,
  }
}

export function sampleVerification(part: Partial<NewVerification> = {}): NewVerification {
  return {
    id: 'ver_1',
    organizationId: 'org_1',
    provider: 'vendorA',
    stateDigest: 'digest-of-state-1',
    encryptedToken: 'sealed-token',
    encryptedCallbackUrl: 'sealed-callback',
    createdAtMs: MORNING_MS,
    expiresAtMs: MORNING_MS + HOUR_MS / 2,
    language: 'en',
    ...part,
  }
}

/** Stored verification until the person returns. */
export function pending({ stateDigest: _digest, ...kept }: NewVerification): StoredVerification {
  return { ...kept, claimedAtMs: null, encryptedRedirect: null, endedAtMs: null }
}

export async function createOrganizations(store: Store, ...ids: string[]): Promise<void> {
  for (const id of ids) await store.organizations.create(sampleOrganization({ id }), sampleAudit())
}
