import type { ClipRatio, Resolution } from '../clips/picture-size.ts'
import { packId, unpackId } from '../tasks/pack-id.ts'
import type { ScriptWord } from '../tasks/script-words.ts'

/** The order, with the vendor's defaults filled in. */
export interface VendorAOrder {
  model: string
  words: readonly ScriptWord[]
  resolution: Resolution
  ratio: ClipRatio
  videoSeconds: number
  referenceVideos: number
  seed: number
  framesPerSecond: number
  hasAudio: boolean
  isDraft: boolean
  serviceTier: string
  expiresAfterSeconds: number
  returnsLastFrame: boolean
}

export interface VendorATask extends VendorAOrder {
  id: string
  startMs: number
}

const PREFIX = 'cgt-'

/** `nonce` separates two equal tasks of the same millisecond. */
export function nameTask(
  order: VendorAOrder,
  { startMs, nonce }: { startMs: number; nonce: string },
): VendorATask {
  const packed: Packed = [
    startMs,
    nonce,
    order.model,
    order.words,
    order.resolution,
    order.ratio,
    order.videoSeconds,
    order.referenceVideos,
    order.seed,
    order.framesPerSecond,
    order.hasAudio,
    order.isDraft,
    order.serviceTier,
    order.expiresAfterSeconds,
    order.returnsLastFrame,
  ]
  return { ...order, id: packId(PREFIX, packed), startMs }
}

export function readTaskId(id: string): VendorATask | undefined {
  const packed = unpackId<Packed>(PREFIX, id)
  if (packed === undefined) return undefined
  const [startMs, , model, words, resolution, ratio, videoSeconds, referenceVideos, ...options] = packed
  const [seed, framesPerSecond, hasAudio, isDraft, serviceTier, expiresAfterSeconds, lastFrame] = options
  return {
    id,
    startMs,
    model,
    words,
    resolution,
    ratio,
    videoSeconds,
    referenceVideos,
    seed,
    framesPerSecond,
    hasAudio,
    isDraft,
    serviceTier,
    expiresAfterSeconds,
    returnsLastFrame: lastFrame ?? false,
  }
}

type Packed = readonly [
  startMs: number,
  nonce: string,
  model: string,
  words: readonly ScriptWord[],
  resolution: Resolution,
  ratio: ClipRatio,
  videoSeconds: number,
  referenceVideos: number,
  seed: number,
  framesPerSecond: number,
  hasAudio: boolean,
  isDraft: boolean,
  serviceTier: string,
  expiresAfterSeconds: number,
  /** Left out in ids of older sandboxes. */
  returnsLastFrame?: boolean,
]
