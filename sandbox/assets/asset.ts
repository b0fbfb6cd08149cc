import { packId, unpackId } from '../tasks/pack-id.ts'
import type { FailureWord, FilePace, MediumType } from './file-script.ts'
import { type Group, readGroupId } from './group.ts'

export interface AssetOrder {
  group: Group
  type: MediumType
  name: string
  /** undefined: the asset becomes active. */
  word: FailureWord | undefined
  pace: FilePace
}

export interface SandboxAsset extends AssetOrder {
  id: string
  startMs: number
}

const PREFIX = 'asset-'

/** `nonce` separates two assets that were made of the same file in the same millisecond. */
export function nameAsset(
  order: AssetOrder,
  { startMs, nonce }: { startMs: number; nonce: string },
): SandboxAsset {
  const { group, type, name, word, pace } = order
  const packed: Packed = [startMs, nonce, group.id, type, name, word ?? null, pace]
  return { ...order, id: packId(PREFIX, packed), startMs }
}

export function readAssetId(id: string): SandboxAsset | undefined {
  const packed = unpackId<Packed>(PREFIX, id)
  if (packed === undefined) return undefined
  const [startMs, , groupId, type, name, word, pace] = packed
  const group = readGroupId(groupId)
  return group === undefined ? undefined : { id, startMs, group, type, name, word: word ?? undefined, pace }
}

type Packed = readonly [
  startMs: number,
  nonce: string,
  groupId: string,
  type: MediumType,
  name: string,
  word: FailureWord | null,
  pace: FilePace,
]
