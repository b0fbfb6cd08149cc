import { isProofOf, readSeal } from '../canonical/seal.ts'
import type { JsonObject } from '../json/json-object.ts'

/** Findings about the seals of one request. */
export interface Seals {
  readonly provider: string
  wasChanged: boolean
  wasDropped: boolean
}

/** Returns the owner, its seal replaced by the proof. An empty list: the proof is not this provider's own. */
export function unsealMember(
  owner: JsonObject,
  member: string,
  seals: Seals,
  openProof: (proof: string) => string = asItIs,
): unknown[] {
  const sealed = owner[member]
  const seal = typeof sealed === 'string' ? readSeal(sealed) : undefined
  if (seal === undefined) return [owner]
  seals.wasChanged = true
  if (isProofOf(seals.provider, seal)) return [{ ...owner, [member]: openProof(seal.proof) }]
  seals.wasDropped = true
  return []
}

function asItIs(proof: string): string {
  return proof
}
