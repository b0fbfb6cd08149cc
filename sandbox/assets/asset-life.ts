import type { SandboxClock } from '../clock.ts'
import type { SandboxAsset } from './asset.ts'
import { type AssetFailure, failureOf } from './file-script.ts'

export const ASSET_STATUSES = ['Processing', 'Active', 'Failed'] as const

/** Processing -> Active or Failed, once, by itself. */
export type AssetStage = { atMs: number } & (
  | { status: 'Processing' | 'Active' }
  | { status: 'Failed'; failure: AssetFailure }
)

const PROCESSING_MS = 30_000
const SLOW_FACTOR = 10

/** Current stage of an asset, from its id alone. */
export function stageOf(asset: SandboxAsset, clock: SandboxClock): AssetStage {
  const { startMs, word, pace, type, group } = asset
  const factor = { instant: 0, usual: 1, slow: SLOW_FACTOR, stuck: Number.POSITIVE_INFINITY }[pace]
  const atMs = startMs + clock.realMs(PROCESSING_MS * factor)
  if (clock.nowMs() < atMs) return { status: 'Processing', atMs: startMs }
  if (word === undefined) return { status: 'Active', atMs }
  return { status: 'Failed', atMs, failure: failureOf(word, { type, groupType: group.type }) }
}
