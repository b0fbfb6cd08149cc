import { isSwitchedOff } from '../canonical/effort-of.ts'
import type { TextRequest } from '../canonical/request.ts'

/** `seal`: the client wants to send the reasoning back, and not to read it. */
export type ShownReasoning = 'all' | 'seal' | 'nothing'

/**
 * Decides how much of the reasoning this client gets. Some vendors send reasoning without being asked, but a client that
 * switched it off must not get it. A client that sends no option gets all of it.
 */
export function shownReasoning({ reasoning }: TextRequest): ShownReasoning {
  if (reasoning === undefined) return 'all'
  if (isSwitchedOff(reasoning)) return 'nothing'
  return reasoning.summary === 'none' ? 'seal' : 'all'
}

/**
 * The messages dialect has two kinds of proof: a signature, or redacted data. Other dialects have one field for both,
 * so a prefix tells them apart when the client sends them back.
 */
export function redactedProof(data: string): string {
  return data === '' ? '' : REDACTED_PREFIX + data
}

/** undefined: the proof is a signature. */
export function readRedactedProof(proof: string): string | undefined {
  return proof.startsWith(REDACTED_PREFIX) ? proof.slice(REDACTED_PREFIX.length) : undefined
}

const REDACTED_PREFIX = 'redacted:'
