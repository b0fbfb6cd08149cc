import { plainResolution } from '../catalog/price-row.ts'
import type { Ratio } from '../video/request.ts'

type Size = readonly [width: number, height: number]

interface Sizes {
  wide: Size
  square: Size
}

/** Pixels of family A's videos. An upright video has as many as a wide one. */
const FULL_HD: Sizes = { wide: [1920, 1080], square: [1440, 1440] }
const SIZES: ReadonlyMap<string, Sizes> = new Map([
  ['480p', { wide: [864, 496], square: [640, 640] }],
  ['720p', { wide: [1280, 720], square: [960, 960] }],
  ['1080p', FULL_HD],
  ['4k', { wide: [3840, 2160], square: [2880, 2880] }],
])

/** Every size of the table as `WxH`, with its ratio and resolution. */
export const VIDEO_SIZES: ReadonlyMap<string, { ratio: Ratio; resolution: string }> = new Map(
  [...SIZES].flatMap(([resolution, { wide, square }]): [string, { ratio: Ratio; resolution: string }][] => [
    [wide.join('x'), { ratio: '16:9', resolution }],
    [wide.toReversed().join('x'), { ratio: '9:16', resolution }],
    [square.join('x'), { ratio: '1:1', resolution }],
  ]),
)

const FRAMES_PER_SECOND = 24
const PIXELS_PER_TOKEN = 1024

/** Estimated tokens of a family A video, with fractions. An unknown resolution counts as 1080p. */
export function estimateVideoTokens(input: {
  resolution: string | undefined
  ratio: string | undefined
  seconds: number | undefined
  /** Length of each video reference; null: unknown. */
  referenceSeconds: readonly (number | null)[]
}): number {
  const { resolution, ratio, seconds, referenceSeconds } = input
  const sizes = SIZES.get(plainResolution(resolution ?? DEFAULT_RESOLUTION)) ?? FULL_HD
  const [width, height] = ratio === '1:1' ? sizes.square : sizes.wide
  const allSeconds = referenceSeconds.reduce<number>(
    (sum, reference) => sum + (reference ?? UNKNOWN_REFERENCE_SECONDS),
    seconds ?? DEFAULT_SECONDS,
  )
  return (width * height * (FRAMES_PER_SECOND * allSeconds + 1)) / PIXELS_PER_TOKEN
}

/** Values for the estimate when a request leaves them out. */
export const DEFAULT_RESOLUTION = '720p'
const DEFAULT_SECONDS = 5
export const UNKNOWN_REFERENCE_SECONDS = 15

/** A video reference raises the price of a family B video, not its length. */
export function estimateVideoSeconds({ seconds }: { seconds: number | undefined }): number {
  return seconds ?? DEFAULT_SECONDS
}
