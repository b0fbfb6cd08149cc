import type { AssetError } from './asset.ts'

/** How long an asset may be `processing`. */
export const PROCESSING_MS_MAX = 24 * 3_600_000

/** A vendor that does not answer says nothing about an asset, so there is more time, but not without end. */
const UNANSWERED_MS_MAX = 7 * PROCESSING_MS_MAX

/** How a vendor that was asked about an asset left it without an end. */
export type Unfinished = 'processing' | 'gone' | 'unanswered'

/** Why an asset of this age has failed, or undefined while it may still come to an end of its own. */
export function overdueError(word: Unfinished, ageMs: number): AssetError | undefined {
  const { ageMsMax, message } = OVERDUE[word]
  return ageMs < ageMsMax ? undefined : { code: 'processing_failed', message }
}

/** An asset that the vendor does not know may be a wrong address of ours: it has its time like any other. */
const OVERDUE: Readonly<Record<Unfinished, { ageMsMax: number; message: string }>> = {
  processing: { ageMsMax: PROCESSING_MS_MAX, message: 'The asset was not ready within 24 hours.' },
  gone: { ageMsMax: PROCESSING_MS_MAX, message: 'The provider no longer knows the asset.' },
  unanswered: {
    ageMsMax: UNANSWERED_MS_MAX,
    message: 'The provider did not say within 7 days whether the asset is ready.',
  },
}
