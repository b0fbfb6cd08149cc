import { hasAtMost } from '../characters.ts'
import type { AssetError, AssetGroupKind, AssetStatus, AssetType } from './asset.ts'

/** An asset as its organization may see it. */
export interface AssetView {
  id: string
  name: string | null
  type: AssetType
  groupId: string
  groupKind: AssetGroupKind
  status: AssetStatus
  /** Signed. Only when active. */
  url: string | undefined
  error: AssetError | null
  createdAtMs: number
  updatedAtMs: number
}

/** What a client wants to register. */
export interface AssetRequest {
  /** HTTPS. */
  url: string
  type: AssetType
  /** A verified person's; undefined: the organization's default group. Whose it is, is asked later. */
  groupId: string | undefined
  name: string | undefined
}

export const ASSET_NAME_CHARACTERS_MAX = 64

export function isAssetName(name: string): boolean {
  return hasAtMost(ASSET_NAME_CHARACTERS_MAX, name)
}
