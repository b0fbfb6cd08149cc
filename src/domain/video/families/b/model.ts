export interface FamilyBModel {
  /** Each version has task types of its own. */
  version: FamilyBVersion
  /** The vendor's mode for the model; undefined: its version has no modes. */
  mode: 'std' | 'fast' | undefined
  canMakeAudio: boolean
}

export type FamilyBVersion = 'v3' | 'v4'
