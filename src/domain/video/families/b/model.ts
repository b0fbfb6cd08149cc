/** What tells the models of family B apart. */
export interface FamilyBModel {
  /** Each version has task types of its own. */
  version: FamilyBVersion
  /** How the vendor is asked for the model; undefined: its version has no modes. */
  mode: 'std' | 'fast' | undefined
  canMakeAudio: boolean
}

export type FamilyBVersion = 'v3' | 'v4'
