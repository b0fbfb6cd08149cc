import type { Ratio, VideoRequest } from '../request.ts'

/** Options that every family takes unchanged from the request; undefined: the client gave none. */
export interface OrderOptions {
  durationSeconds: number | undefined
  ratio: Ratio | undefined
  resolution: string | undefined
  seed: number | undefined
  framesPerSecond: number | undefined
  generateAudio: boolean | undefined
  draft: boolean | undefined
  serviceTier: string | undefined
  /** undefined: the vendor's own default. */
  watermark?: boolean | undefined
  returnLastFrame?: boolean | undefined
}

/** The driver decides which of them the vendor gets. */
export function orderOptions(request: VideoRequest): OrderOptions {
  const { durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft } = request
  const { serviceTier, watermark, returnLastFrame } = request
  return {
    ...{ durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft },
    ...{ serviceTier, watermark, returnLastFrame },
  }
}
