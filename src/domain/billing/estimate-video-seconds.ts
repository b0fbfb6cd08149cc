import { DEFAULT_SECONDS } from './video-defaults.ts'

/** What a family B video will be billed for: its own length. A video reference raises the price, not the length. */
export function estimateVideoSeconds({ seconds }: { seconds: number | undefined }): number {
  return seconds ?? DEFAULT_SECONDS
}
