import type { OrderOptions, VideoRequest } from '../request.ts'

/** The driver decides which options the vendor gets. */
export function orderOptions(request: VideoRequest): OrderOptions {
  const { durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft } = request
  const { serviceTier, watermark, returnLastFrame } = request
  return {
    ...{ durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft },
    ...{ serviceTier, watermark, returnLastFrame },
  }
}
