import type { AssetView } from '../../domain/assets/asset-view.ts'
import { isUsableUrl } from '../../domain/assets/url-age.ts'
import type { StoredAsset } from '../../ports/asset-store.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** A signed link opens the media for any client that has it, so the store keeps it encrypted. */
export function encryptUrl(url: string, assetId: string, secrets: Secrets): string {
  return secrets.encrypt(url, assetUrlBoundTo(assetId))
}

export function urlOf(
  { id, encryptedUrl }: { id: string; encryptedUrl: string | null },
  secrets: Secrets,
): string | undefined {
  return encryptedUrl === null ? undefined : secrets.decrypt(encryptedUrl, assetUrlBoundTo(id))
}

export function assetUrlBoundTo(assetId: string): string {
  return `asset-url:${assetId}`
}

/** Leaves out a link that no longer works, or soon will not. */
export function viewAsset(asset: StoredAsset, secrets: Secrets, nowMs: number, keptUrl?: string): AssetView {
  const isShown = asset.status === 'active' && isUsableUrl(asset, nowMs)
  return { ...asset, url: keptUrl ?? (isShown ? urlOf(asset, secrets) : undefined) }
}
