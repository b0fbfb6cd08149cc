/** The operations of this vendor, as they stand in its paths. */
export const OPERATIONS = [
  'text2video',
  'image2video',
  'omni-video',
  'multiobject',
  'extension',
  'extension/cutshot',
  'styletransfer',
] as const

export type Operation = (typeof OPERATIONS)[number]

/** What a submit call carries besides `api_key`. Members that are absent or undefined are not sent. */
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
  /** Links alone for `multiobject`, entries with a tag for `omni-video`. */
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
  /** Whole seconds. */
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

export function submitPath(operation: Operation): string {
  return `/api/v1/video/${operation}/submit`
}

export function taskPath(operation: Operation, id: string): string {
  return `/api/v1/video/${operation}/task/${encodeURIComponent(id)}`
}

/** The statuses this vendor gives a task, and ours. What is not here is still at work. */
export const STATUSES: ReadonlyMap<string, 'queued' | 'succeeded' | 'failed'> = new Map([
  ['submitted', 'queued'],
  ['pending', 'queued'],
  ['ok', 'queued'],
  ['success', 'succeeded'],
  ['failed', 'failed'],
])
