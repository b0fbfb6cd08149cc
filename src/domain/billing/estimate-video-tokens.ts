import { plainResolution } from '../catalog/resolution.ts'
import { DEFAULT_RESOLUTION, DEFAULT_SECONDS, UNKNOWN_REFERENCE_SECONDS } from './video-defaults.ts'

type Size = readonly [width: number, height: number]

interface Sizes {
  wide: Size
  square: Size
}

/** Pixels of what family A makes. Upright is wide turned round: as many pixels. */
const LARGEST: Sizes = { wide: [1920, 1080], square: [1440, 1440] }
const SIZES: ReadonlyMap<string, Sizes> = new Map([
  ['480p', { wide: [864, 496], square: [640, 640] }],
  ['720p', { wide: [1280, 720], square: [960, 960] }],
  ['1080p', LARGEST],
])

const FRAMES_PER_SECOND = 24
const PIXELS_PER_TOKEN = 1024

/** What a family A video will use; a resolution nobody knows counts as the largest. May end in a fraction. */
export function estimateVideoTokens({
  resolution,
  ratio,
  seconds,
  referenceSeconds,
}: {
  resolution: string | undefined
  ratio: string | undefined
  seconds: number | undefined
  /** One for each video reference; null when nobody knows how long it is. */
  referenceSeconds: readonly (number | null)[]
}): number {
  const sizes = SIZES.get(plainResolution(resolution ?? DEFAULT_RESOLUTION)) ?? LARGEST
  const [width, height] = ratio === '1:1' ? sizes.square : sizes.wide
  const allSeconds = referenceSeconds.reduce<number>(
    (sum, reference) => sum + (reference ?? UNKNOWN_REFERENCE_SECONDS),
    seconds ?? DEFAULT_SECONDS,
  )
  return (width * height * (FRAMES_PER_SECOND * allSeconds + 1)) / PIXELS_PER_TOKEN
}
