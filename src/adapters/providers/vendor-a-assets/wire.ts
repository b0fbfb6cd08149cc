import type { AssetGroupKind, AssetStatus, AssetType } from '../../../domain/assets/asset.ts'
import type { AssetSortKey, SortOrder } from '../../../domain/assets/asset-query.ts'

export const VERSION = '2024-01-01'

/** Bodies of actions, without the project and without undefined members. */
export interface ActionBodies {
  CreateAssetGroup: { Name: string; GroupType: GroupType }
  CreateAsset: { GroupId: string; URL: string; AssetType: AssetType; Name: string | undefined }
  GetAsset: { Id: string }
  ListAssets: {
    Filter: {
      GroupIds: readonly string[]
      GroupType: GroupType
      Statuses: readonly string[] | undefined
      Name: string | undefined
    }
    PageNumber: number
    PageSize: number
    SortBy: string
    SortOrder: string
  }
  DeleteAsset: { Id: string }
  DeleteAssetGroup: { Id: string }
  CreateVisualValidateSession: { CallbackURL: string }
  /** Body with the token, whose field name is configured. */
  GetVisualValidateResult: Record<string, string>
}

export type Action = keyof ActionBodies

type GroupType = 'AIGC' | 'LivenessFace'

export const GROUP_TYPES: Record<AssetGroupKind, GroupType> = { default: 'AIGC', person: 'LivenessFace' }

export const STATUS_WORDS: Record<AssetStatus, string> = {
  processing: 'Processing',
  active: 'Active',
  failed: 'Failed',
}

export const SORT_WORDS: Record<AssetSortKey, string> = {
  create_time: 'CreateTime',
  update_time: 'UpdateTime',
  group_id: 'GroupId',
}

export const ORDER_WORDS: Record<SortOrder, string> = { asc: 'Asc', desc: 'Desc' }
