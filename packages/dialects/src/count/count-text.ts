import { KINDS, SIGN } from './character-kinds.ts'
import { BEGINNING, COSTS, NEXT, ROW } from './token-costs.ts'

/**
 * Estimates the tokens of a text without a vendor's vocabulary. Close for English, code and JSON; within fifteen percent
 * for other scripts. It takes a few nanoseconds a character.
 */
export function countText(text: string): number {
  const { length } = text
  if (length <= WHOLE_CHARACTERS) return Math.ceil(costOf(text, 0, length))
  // Counts equal samples of a long text, from its beginning to its end, which bounds the time.
  let cost = 0
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = Math.floor((sample / SAMPLES) * length)
    cost += costOf(text, start, start + SAMPLE_CHARACTERS)
  }
  return Math.ceil((cost / WHOLE_CHARACTERS) * length)
}

const SAMPLES = 32
const SAMPLE_CHARACTERS = 1_024
const WHOLE_CHARACTERS = SAMPLES * SAMPLE_CHARACTERS

function costOf(text: string, start: number, end: number): number {
  let cost = 0
  let state = BEGINNING
  for (let at = start; at < end; at += 1) {
    const move = state * ROW + (KINDS[text.charCodeAt(at)] ?? SIGN)
    cost += COSTS[move] ?? 0
    state = NEXT[move] ?? BEGINNING
  }
  return cost
}

/** Typical bytes of text and code in a token: for a count that is charged. */
export const BYTES_PER_TOKEN = 4

/** Lower bound for common scripts: for an upper estimate, which only holds money. */
export const BYTES_PER_TOKEN_MIN = 3

/** Hidden reasoning is sent as its proof: base64 of about as many bytes as the text had. */
export const PROOF_CHARACTERS_PER_TOKEN = 6
