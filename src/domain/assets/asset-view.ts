import { hasAtMost } from '@sluice/dialects/values/characters'
import type { AssetError, AssetGroupKind, AssetStatus, AssetType } from './asset.ts'

export interface AssetView {
  id: string
  name: string | null
  type: AssetType
  groupId: string
  groupKind: AssetGroupKind
  status: AssetStatus
  /** Signed URL; set only when active. */
  url: string | undefined
  error: AssetError | null
  createdAtMs: number
  updatedAtMs: number
}

export interface AssetRequest {
  url: string
  type: AssetType
  /** Group of a verified person; its owner is not checked yet. undefined: the organization's default group. */
  groupId: string | undefined
  name: string | undefined
}

export const ASSET_NAME_CHARACTERS_MAX = 64

export function isAssetName(name: string): boolean {
  return hasAtMost(ASSET_NAME_CHARACTERS_MAX, name)
}
