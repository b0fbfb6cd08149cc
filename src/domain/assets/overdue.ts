import type { AssetError } from './asset.ts'

/** Maximum time in `processing`. */
export const PROCESSING_MS_MAX = 24 * 3_600_000

/** Maximum age while the vendor does not answer. Silence tells nothing about an asset, so the asset gets more time. */
const UNANSWERED_MS_MAX = 7 * PROCESSING_MS_MAX

export type Unfinished = 'processing' | 'gone' | 'unanswered'

/** Returns the error of an overdue asset; undefined: the asset may still end by itself. */
export function overdueError(answer: Unfinished, ageMs: number): AssetError | undefined {
  const { ageMsMax, message } = OVERDUE[answer]
  return ageMs < ageMsMax ? undefined : { code: 'processing_failed', message }
}

/** An asset that the vendor does not know gets the usual time, because the configured address of the vendor may be wrong. */
const OVERDUE: Readonly<Record<Unfinished, { ageMsMax: number; message: string }>> = {
  processing: { ageMsMax: PROCESSING_MS_MAX, message: 'The asset was not ready within 24 hours.' },
  gone: { ageMsMax: PROCESSING_MS_MAX, message: 'The provider no longer knows the asset.' },
  unanswered: {
    ageMsMax: UNANSWERED_MS_MAX,
    message: 'The provider did not say within 7 days whether the asset is ready.',
  },
}
