/** A video model as the rules see it. */
export type VideoModel = FamilyAModel | FamilyBModel

export interface FamilyAModel {
  family: 'a'
  /** The name without the provider. */
  model: string
}

export interface FamilyBModel {
  family: 'b'
  model: string
  /** Each version has task types of its own. */
  version: FamilyBVersion
  canMakeAudio: boolean
}

export type FamilyBVersion = 'v3' | 'v4'

/** undefined: nobody makes videos under this name. */
export function findVideoModel(name: string): VideoModel | undefined {
  return VIDEO_MODELS.get(name)
}

export const VIDEO_MODELS: ReadonlyMap<string, VideoModel> = new Map<string, VideoModel>([
  ['vendorA/gen-2.0', { family: 'a', model: 'gen-2.0' }],
  ['vendorA/gen-2.0-fast', { family: 'a', model: 'gen-2.0-fast' }],
  ['vendorB/gen-v4-std', { family: 'b', model: 'gen-v4-std', version: 'v4', canMakeAudio: true }],
  ['vendorB/gen-v4-fast', { family: 'b', model: 'gen-v4-fast', version: 'v4', canMakeAudio: false }],
  ['vendorB/gen-v3', { family: 'b', model: 'gen-v3', version: 'v3', canMakeAudio: true }],
])
