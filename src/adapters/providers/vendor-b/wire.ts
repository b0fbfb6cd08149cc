/** Operations of this vendor, as its paths spell them. */
export const OPERATIONS = [
  'text2video',
  'image2video',
  'omni-video',
  'multiobject',
  'extension',
  'extension/cutshot',
  'styletransfer',
] as const

export type SubmitOperation = (typeof OPERATIONS)[number]

/** Body of a submit call, without `api_key` and without undefined members. */
export interface SubmitBody {
  prompt?: string | undefined
  duration?: number | undefined
  aspect_ratio?: string | undefined
  resolution?: string | undefined
  sound?: boolean | undefined
  mode?: 'std' | 'fast' | undefined
  first_frame_image?: string | undefined
  end_frame_image?: string | undefined
  mid_frame_images?: readonly MidFrameImage[] | undefined
  /** Links for `multiobject`; entries with a tag for `omni-video`. */
  ref_images?: readonly string[] | readonly ReferenceImage[] | undefined
  ref_videos?: readonly ReferenceVideo[] | undefined
  prefix_video?: string | undefined
  cut_type?: string | undefined
  video_url?: string | undefined
  style_name?: string | undefined
}

export interface MidFrameImage {
  tag: string
  image_url: string
  /** Position in whole seconds. */
  time_stamp: number | undefined
}

export interface ReferenceImage {
  tag: string
  type: 'image' | 'grid'
  image_urls: readonly string[]
  audio_url: string | undefined
}

export interface ReferenceVideo {
  tag: string
  type: 'reference' | 'extend'
  video_url: string
}

export function submitPath(operation: SubmitOperation): string {
  return `/api/v1/video/${operation}/submit`
}

export function taskPath(operation: SubmitOperation, id: string): string {
  return `/api/v1/video/${operation}/task/${encodeURIComponent(id)}`
}

/** Our statuses, by the vendor's; an unknown one counts as running. */
export const STATUSES: ReadonlyMap<string, 'queued' | 'succeeded' | 'failed'> = new Map([
  ['submitted', 'queued'],
  ['pending', 'queued'],
  ['ok', 'queued'],
  ['success', 'succeeded'],
  ['failed', 'failed'],
])
