import type { AssetStatus } from './asset.ts'

export interface AssetQuery {
  /** undefined: the default group. */
  groupId: string | undefined
  /** undefined: all statuses. */
  statuses: readonly AssetStatus[] | undefined
  name: string | undefined
  /** Number of the page, from 1. */
  page: number
  limit: number
  sortBy: AssetSortKey
  sortOrder: SortOrder
}

export const ASSET_SORT_KEYS = ['create_time', 'update_time', 'group_id'] as const

export type AssetSortKey = (typeof ASSET_SORT_KEYS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const

export type SortOrder = (typeof SORT_ORDERS)[number]
