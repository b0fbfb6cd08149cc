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
