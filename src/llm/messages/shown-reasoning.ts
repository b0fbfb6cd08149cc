import { isSwitchedOff } from '../canonical/effort-of.ts'
import type { TextRequest } from '../canonical/request.ts'

/** `seal`: the client wants to send it back, and not to read it. */
export type ShownReasoning = 'all' | 'seal' | 'nothing'

/**
 * How much of the reasoning this client is shown. Some vendors send theirs without being asked: a client that switched
 * it off must not find it in front of the text. A client that says nothing about it gets all there is.
 */
export function shownReasoning({ reasoning }: TextRequest): ShownReasoning {
  if (reasoning === undefined) return 'all'
  if (isSwitchedOff(reasoning)) return 'nothing'
  return reasoning.summary === 'none' ? 'seal' : 'all'
}

/**
 * This wire proves reasoning in two ways: a signature beside the thinking, or a blob instead of it. On the way through
 * a client of another dialect both are just a proof, so the blob gets a mark to be told by when it comes back.
 */
export function redactedProof(data: string): string {
  return data === '' ? '' : MARK + data
}

/** undefined: a signature. */
export function readRedactedProof(proof: string): string | undefined {
  return proof.startsWith(MARK) ? proof.slice(MARK.length) : undefined
}

const MARK = 'redacted:'
