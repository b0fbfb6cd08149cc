import type { OrderOptions } from '../../request.ts'

export interface FamilyBOrder {
  family: 'b'
  /** The catalog's name without the provider. */
  model: string
  mode: FamilyBModel['mode']
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

export interface FamilyBModel {
  /** Each version has task types of its own. */
  version: FamilyBVersion
  /** The vendor's mode for the model; undefined: its version has no modes. */
  mode: 'std' | 'fast' | undefined
  canMakeAudio: boolean
}

export type FamilyBVersion = 'v3' | 'v4'
