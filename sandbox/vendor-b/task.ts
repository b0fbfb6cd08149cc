import type { Ratio } from '../clips/picture-size.ts'
import { packId, unpackId } from '../tasks/pack-id.ts'
import type { ScriptWord } from '../tasks/script-words.ts'

export interface VendorBOrder {
  /** The piece of the path that names the work, such as `text2video`. */
  work: string
  words: readonly ScriptWord[]
  /** As it was asked for: this vendor takes any. */
  resolution: string
  ratio: Ratio
  videoSeconds: number
}

export interface VendorBTask extends VendorBOrder {
  id: string
  startMs: number
}

const PREFIX = 'vb-'

/** Who knows the id may read the task, so `nonce` is also what keeps it from being guessed. */
export function nameTask(
  order: VendorBOrder,
  { startMs, nonce }: { startMs: number; nonce: string },
): VendorBTask {
  const { work, words, resolution, ratio, videoSeconds } = order
  const packed: Packed = [startMs, nonce, work, words, resolution, ratio, videoSeconds]
  return { ...order, id: packId(PREFIX, packed), startMs }
}

export function readTaskId(id: string): VendorBTask | undefined {
  const packed = unpackId<Packed>(PREFIX, id)
  if (packed === undefined) return undefined
  const [startMs, , work, words, resolution, ratio, videoSeconds] = packed
  return { id, startMs, work, words, resolution, ratio, videoSeconds }
}

type Packed = readonly [
  startMs: number,
  nonce: string,
  work: string,
  words: readonly ScriptWord[],
  resolution: string,
  ratio: Ratio,
  videoSeconds: number,
]
