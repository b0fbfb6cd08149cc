/** Options that every family takes unchanged from the request; undefined: the client gave none. */
export interface OrderOptions {
  durationSeconds: number | undefined
  ratio: Ratio | undefined
  resolution: string | undefined
  seed: number | undefined
  framesPerSecond: number | undefined
  generateAudio: boolean | undefined
  draft: boolean | undefined
  serviceTier: string | undefined
  /** Whether the vendor marks the video visibly, where the catalog row allows the option. undefined: its default. */
  watermark?: boolean | undefined
  returnLastFrame?: boolean | undefined
}

/** A client's request: parsed, trimmed and without the fields that the contract drops. */
export interface VideoRequest extends OrderOptions {
  model: string
  /** Alias that the client used; left out: the client used the name. */
  alias?: string
  /** At least one item. */
  items: readonly ContentItem[]
  taskType: string | undefined
  callbackUrl: string | undefined
  executionExpiresAfterSeconds: number | undefined
  /** JSON text of an object, unchanged. */
  metadata: string
  /** Family A: set when images as first or last frame keep these roles, which the contract drops. */
  keepsFrameRoles?: true
}

export const RATIOS = ['16:9', '9:16', '1:1'] as const

export type Ratio = (typeof RATIOS)[number]

export type ContentItem = TextItem | MediaItem

export interface TextItem {
  kind: 'text'
  text: string
  role: string | undefined
  /** Position in the client's `content`, for error messages. */
  index: number
}

export type MediaKind = 'image' | 'video' | 'audio'

export interface MediaItem {
  kind: MediaKind
  /** HTTPS or `asset://`. */
  url: string
  role: string | undefined
  /** Trimmed and not empty. */
  tag: string | undefined
  /** The given value, with fractions; NaN: it is no number, which is an error only where a time stamp is used. */
  timeStampSeconds: number | undefined
  index: number
}
