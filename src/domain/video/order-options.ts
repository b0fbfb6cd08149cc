import type { OrderOptions } from './order.ts'
import type { VideoRequest } from './request.ts'

/** Which of them a vendor is sent, its driver decides. */
export function orderOptions(request: VideoRequest): OrderOptions {
  const { durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft, serviceTier } =
    request
  return { durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft, serviceTier }
}
