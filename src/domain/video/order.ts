import type { MediaKind, Ratio } from './request.ts'

/** What a driver is asked to have made: the request after the rules of its model, with every URL resolved. */
export type VideoOrder = FamilyAOrder | FamilyBOrder

/** What both families take from the request as it is; undefined: the client did not say. */
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

export interface FamilyAOrder {
  family: 'a'
  /** Our name without the provider, such as `gen-2.0`. */
  model: string
  items: readonly FamilyAItem[]
  options: OrderOptions
}

export type FamilyAItem =
  | { kind: 'text'; text: string }
  | { kind: MediaKind; url: string; role: string | undefined }

export interface FamilyBOrder {
  family: 'b'
  model: string
  work: FamilyBWork
  options: OrderOptions
}

/** One shape per task type of family B. `prompt` is every text item without a special role, joined by newlines. */
export type FamilyBWork =
  | { taskType: 'text-to-video'; prompt: string }
  | {
      taskType: 'image-to-video'
      prompt: string
      firstFrame: string | undefined
      endFrame: string | undefined
      midFrames: readonly { tag: string; url: string; timeStampSeconds: number | undefined }[]
    }
  | { taskType: 'omni-video'; prompt: string; images: readonly OmniImage[]; video: OmniVideo | undefined }
  | { taskType: 'reference'; prompt: string; images: readonly string[] }
  | { taskType: 'extension'; prompt: string; prefixVideo: string }
  | { taskType: 'cutshot'; prompt: string; prefixVideo: string; cutType: string }
  | { taskType: 'restyling'; videoUrl: string; styleName: string }

/** All images with one tag, and the audio that goes with it. */
export interface OmniImage {
  tag: string
  type: 'image' | 'grid'
  urls: readonly string[]
  audioUrl: string | undefined
}

export interface OmniVideo {
  tag: string
  type: 'reference' | 'extend'
  url: string
}
