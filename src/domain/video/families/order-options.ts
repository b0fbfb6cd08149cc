import type { Ratio, VideoRequest } from '../request.ts'

/** What every family takes from the request as it is; undefined: the client did not say. */
export interface OrderOptions {
  durationSeconds: number | undefined
  ratio: Ratio | undefined
  resolution: string | undefined
  seed: number | undefined
  framesPerSecond: number | undefined
  generateAudio: boolean | undefined
  draft: boolean | undefined
  serviceTier: string | undefined
}

/** Which of them a vendor is sent, its driver decides. */
export function orderOptions(request: VideoRequest): OrderOptions {
  const { durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft, serviceTier } =
    request
  return { durationSeconds, ratio, resolution, seed, framesPerSecond, generateAudio, draft, serviceTier }
}
