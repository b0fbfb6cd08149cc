import {
  ACCENTED,
  APOSTROPHE,
  DIGIT,
  HAN,
  HANGUL,
  KANA,
  LETTER,
  LINE_BREAK,
  LOWER,
  PICTURE,
  SIGN,
  SPACE,
  UPPER,
} from './character-kinds.ts'

/**
 * Tokens that the next character adds to a count, by the character before it. The figures are averages over a vocabulary of
 * 200,000 tokens; the cuts are those of the vendors' splitters: a word with one character before it, digits by threes,
 * runs of signs, line breaks with the signs before them.
 *
 * A state is the kind of the last character, or one of these:
 *
 *   SPACE -> SPACES (an indent)    DIGIT -> DIGIT_2 -> DIGIT_3 -> DIGIT    SIGN -> SIGNS
 *   LOWER, UPPER or ACCENTED -> ENDING (an apostrophe within a word)
 */
const SPACES = 13
const DIGIT_2 = 14
const DIGIT_3 = 15
const SIGNS = 16
const ENDING = 17

/** Length of a row in both tables: the number of kinds, rounded up to a power of two. */
export const ROW = 16

/** The state at the beginning of a text is that at the beginning of a line. */
export const BEGINNING = LINE_BREAK

const STATES = 18

/** Tokens per character for scripts in which a word is usually several tokens. */
const SCRIPTS: Readonly<Record<number, number>> = {
  [LETTER]: 0.32,
  [HAN]: 0.65,
  [KANA]: 0.74,
  [HANGUL]: 0.68,
  [PICTURE]: 0.8,
}

/** `NEXT[state * ROW + kind]` is the next state. */
export const NEXT = Uint8Array.from({ length: STATES * ROW }, (_, move) =>
  stateAfter(Math.floor(move / ROW), move % ROW),
)

/** `COSTS[state * ROW + kind]` is the cost of the character. */
export const COSTS = Float64Array.from({ length: STATES * ROW }, (_, move) =>
  costOf(Math.floor(move / ROW), move % ROW),
)

function stateAfter(state: number, kind: number): number {
  if (kind === SPACE) return state === SPACE || state === SPACES ? SPACES : SPACE
  if (kind === DIGIT) return state === DIGIT ? DIGIT_2 : state === DIGIT_2 ? DIGIT_3 : DIGIT
  if (kind === APOSTROPHE && isWord(state)) return ENDING
  if (kind === SIGN || kind === APOSTROPHE) return isSign(state) ? SIGNS : SIGN
  return kind
}

function costOf(state: number, kind: number): number {
  switch (kind) {
    case LOWER:
      return isWord(state) ? 0.025 : state === ENDING ? 0.2 : 0.97
    case UPPER:
      return state === UPPER ? 0.12 : 0.97
    case ACCENTED:
      return isWord(state) ? 0.4 : 1.2
    case APOSTROPHE:
    case SIGN:
      return costOfSign(state)
    case SPACE:
      // One space belongs to the next word; several are one token together.
      return state === SPACE ? 1 : closing(state)
    case LINE_BREAK:
      return costOfBreak(state)
    case DIGIT:
      // A number takes no space before it.
      return state === DIGIT || state === DIGIT_2
        ? 0
        : state === SPACE || state === SPACES
          ? 2
          : 1 + closing(state)
    default:
      return (SCRIPTS[kind] ?? 1) + closing(state)
  }
}

/** A sign before a word often joins it, so a sign alone costs a half, and another half when no word follows. */
function costOfSign(state: number): number {
  return state === SIGN ? 0.5 : state === SIGNS ? 0.2 : 0.5
}

function closing(state: number): number {
  return state === SIGN ? 0.5 : 0
}

function costOfBreak(state: number): number {
  if (state === LINE_BREAK) return 0
  if (state === SIGN || state === SIGNS) return 0.4 + closing(state)
  // Spaces at the end of a line go with it.
  return state === SPACES ? 0 : 1
}

function isWord(state: number): boolean {
  return state === LOWER || state === UPPER || state === ACCENTED
}

function isSign(state: number): boolean {
  return state === SIGN || state === SIGNS
}
