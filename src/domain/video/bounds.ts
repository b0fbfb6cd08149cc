import { ApiError } from '../api-error.ts'
import { plainResolution } from '../catalog/price-row.ts'
import type { ContentItem, VideoRequest } from './request.ts'

/** Values that a vendor is known to take. A member that is left out is not checked; the vendor decides. */
export type VideoBounds = { [Name in RangeName]?: readonly [min: number, max: number] } & {
  [Name in ListName]?: readonly string[]
}

/** Bounds of a catalog row; those of a mode take precedence. */
export type ModelBounds = VideoBounds & { modes?: Readonly<Record<string, VideoBounds>> }

type RangeName = keyof typeof RANGES
type ListName = keyof typeof LISTS
type ReadValue<Value> = (request: VideoRequest) => Value | undefined

const LISTS = {
  resolution: ({ resolution }) => resolution,
  ratio: ({ ratio }) => ratio,
} satisfies Record<string, ReadValue<string>>

/** Ranges of whole numbers, with the noun that follows the number in messages. */
const RANGES = {
  duration: { read: ({ durationSeconds }) => durationSeconds, noun: ' seconds' },
  framespersecond: { read: ({ framesPerSecond }) => framesPerSecond, noun: '' },
  images: { read: ({ items }) => countOf(items, 'image'), noun: ' images', param: 'content' },
  videos: { read: ({ items }) => countOf(items, 'video'), noun: ' videos', param: 'content' },
  audios: { read: ({ items }) => countOf(items, 'audio'), noun: ' audios', param: 'content' },
  tags: { read: ({ items }) => countTags(items), noun: ' different tags', param: 'content' },
} satisfies Record<string, { read: ReadValue<number>; noun: string; param?: string }>

export const RANGE_NAMES = Object.keys(RANGES) as RangeName[]
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

/** Returns undefined for zero, which no bound checks: the rules of a family demand the items that its modes need. */
function countOf(items: readonly ContentItem[], kind: ContentItem['kind']): number | undefined {
  return items.filter((item) => item.kind === kind).length || undefined
}

function countTags(items: readonly ContentItem[]): number | undefined {
  return new Set(items.flatMap((item) => ('tag' in item && item.tag) || [])).size || undefined
}

/** Throws 400 with the bound before any money is held, because the vendor would fail the task. */
export function checkBounds(
  { modes = {}, ...ofModel }: ModelBounds,
  { request, mode = '' }: { request: VideoRequest; mode: string | undefined },
): void {
  const ofMode = modes[mode] ?? {}
  const bounds = { ...ofModel, ...ofMode }
  const model = request.alias ?? request.model
  const whereOf = (name: RangeName | ListName) => (name in ofMode ? `${mode} with ${model}` : model)
  for (const name of RANGE_NAMES) {
    const {
      read,
      noun,
      param = name,
    }: { read: ReadValue<number>; noun: string; param?: string } = RANGES[name]
    const value = read(request)
    const [min, max] = bounds[name] ?? []
    if (value === undefined || min === undefined || max === undefined || (value >= min && value <= max))
      continue
    const range = min === max ? `${min}` : `from ${min} to ${max}`
    throw outside(param, `${param === name ? 'be' : 'have'} ${range}${noun} for ${whereOf(name)}`)
  }
  for (const name of LIST_NAMES) {
    const value = LISTS[name](request)
    const taken = bounds[name]
    if (value === undefined || taken === undefined || taken.includes(plainResolution(value))) continue
    throw outside(name, `be one of ${taken.join(', ')} for ${whereOf(name)}`)
  }
}

function outside(param: string, demand: string): ApiError {
  return new ApiError('invalid_parameter', { param, message: `${param} must ${demand}.` })
}
