import type { AssetError } from './asset.ts'

/** Maximum time in `processing`. */
export const PROCESSING_MS_MAX = 24 * 3_600_000

/** Maximum age without answers of the vendor: silence tells nothing about an asset, so it gets more time. */
const UNANSWERED_MS_MAX = 7 * PROCESSING_MS_MAX

/** A vendor's answer about an asset that has not ended. */
export type Unfinished = 'processing' | 'gone' | 'unanswered'

/** Error of an overdue asset, or undefined while it may still end by itself. */
export function overdueError(answer: Unfinished, ageMs: number): AssetError | undefined {
  const { ageMsMax, message } = OVERDUE[answer]
  return ageMs < ageMsMax ? undefined : { code: 'processing_failed', message }
}

/** When the vendor does not know an asset, its address in our settings may be wrong: the asset gets the usual time. */
const OVERDUE: Readonly<Record<Unfinished, { ageMsMax: number; message: string }>> = {
  processing: { ageMsMax: PROCESSING_MS_MAX, message: 'The asset was not ready within 24 hours.' },
  gone: { ageMsMax: PROCESSING_MS_MAX, message: 'The provider no longer knows the asset.' },
  unanswered: {
    ageMsMax: UNANSWERED_MS_MAX,
    message: 'The provider did not say within 7 days whether the asset is ready.',
  },
}
