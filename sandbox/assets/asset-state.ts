import { createRemembered, type Remembered } from '../vendor-a/remembered.ts'
import type { ScanEnding } from './verify/endings.ts'

/** State that no id holds: the assets that a list shows, deletions, and the ends of verifications. */
export interface AssetState {
  created: Remembered<true>
  /** Assets and groups that were deleted. */
  deleted: Remembered<true>
  ended: Remembered<EndedSession>
}

export interface EndedSession {
  ending: ScanEnding
  person: number
  /** Whether the group was handed out, which happens once. */
  isExchanged: boolean
}

const REMEMBERED_MAX = 10_000

export function createAssetState(): AssetState {
  return {
    created: createRemembered<true>({ idsMax: REMEMBERED_MAX }),
    deleted: createRemembered<true>({ idsMax: REMEMBERED_MAX }),
    ended: createRemembered<EndedSession>({ idsMax: REMEMBERED_MAX }),
  }
}
