import { isSwitchedOff } from '../canonical/effort-of.ts'
import type { TextRequest } from '../canonical/request.ts'

/** `seal`: the client wants to send the reasoning back, and not to read it. */
export type ShownReasoning = 'all' | 'seal' | 'nothing'

/**
 * Decides how much of the reasoning this client gets. Some vendors send it unasked: a client that switched it off must not
 * find it before the text. A client that sends no option gets all of it.
 */
export function shownReasoning({ reasoning }: TextRequest): ShownReasoning {
  if (reasoning === undefined) return 'all'
  if (isSwitchedOff(reasoning)) return 'nothing'
  return reasoning.summary === 'none' ? 'seal' : 'all'
}

/**
 * Marks a proof that is a blob instead of a signature: this wire proves reasoning in both ways. In a client of another
 * dialect both are a proof, so the mark tells them apart when they come back.
 */
export function redactedProof(data: string): string {
  return data === '' ? '' : MARK + data
}

/** undefined: the proof is a signature. */
export function readRedactedProof(proof: string): string | undefined {
  return proof.startsWith(MARK) ? proof.slice(MARK.length) : undefined
}

const MARK = 'redacted:'
