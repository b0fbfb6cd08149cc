import type { ClipSpec } from './make-clip.ts'
import { pictureSize, RATIOS, RESOLUTIONS } from './picture-size.ts'

/** A clip's name says all that is needed to make it, so that nothing has to be kept: `1280x720-5s-3f7ac1.mp4`. */
export function clipName({ width, height, seconds, colour }: ClipSpec): string {
  return `${width}x${height}-${seconds}s-${colour}.mp4`
}

const SECONDS_MAX = 60
const SIZES = RESOLUTIONS.flatMap((resolution) => RATIOS.map((ratio) => pictureSize(resolution, ratio)))

export function readClipName(name: string): ClipSpec | undefined {
  const [, width, height, seconds, colour = ''] =
    /^(\d{3,4})x(\d{3,4})-(\d{1,2})s-([0-9a-f]{6})\.mp4$/.exec(name) ?? []
  const spec = { width: Number(width), height: Number(height), seconds: Number(seconds), colour }
  const isKnownSize = SIZES.some((size) => size.width === spec.width && size.height === spec.height)
  return isKnownSize && spec.seconds >= 1 && spec.seconds <= SECONDS_MAX ? spec : undefined
}
