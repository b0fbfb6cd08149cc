export interface PictureSize {
  width: number
  height: number
}

export const RESOLUTIONS = ['480p', '720p', '1080p'] as const
export const RATIOS = ['16:9', '9:16', '1:1'] as const

export type Resolution = (typeof RESOLUTIONS)[number]
export type ClipRatio = (typeof RATIOS)[number]

/** Size that a vendor delivers for a resolution and a ratio. */
export function pictureSize(resolution: Resolution, ratio: ClipRatio): PictureSize {
  const { wide, square } = SIZES[resolution]
  if (ratio === '1:1') return { width: square, height: square }
  return ratio === '16:9' ? wide : { width: wide.height, height: wide.width }
}

const SIZES: Readonly<Record<Resolution, { wide: PictureSize; square: number }>> = {
  '480p': { wide: { width: 864, height: 496 }, square: 640 },
  '720p': { wide: { width: 1280, height: 720 }, square: 960 },
  '1080p': { wide: { width: 1920, height: 1080 }, square: 1440 },
}

export function isResolution(value: unknown): value is Resolution {
  return RESOLUTIONS.some((resolution) => resolution === value)
}

export function isRatio(value: unknown): value is ClipRatio {
  return RATIOS.some((ratio) => ratio === value)
}
