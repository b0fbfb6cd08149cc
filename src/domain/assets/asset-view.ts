import type { AssetStatus, AssetType } from './asset.ts'
import type { AssetGroupKind } from './asset-group.ts'
import type { AssetError } from './asset-snapshot.ts'

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
