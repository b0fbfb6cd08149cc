export interface SequenceSearch {
  /** More text. The first sequence that is complete in it, and where in this text it ends; of two, the longer. */
  feed(text: string): { sequence: string; end: number } | undefined
  /** So many last characters could be the beginning of a sequence. */
  readonly heldLength: number
  /** The text so far is over. */
  reset(): void
}

/** Looks for several sequences at once in text that comes in pieces, each character seen once (Knuth, Morris, Pratt). */
export function createSequenceSearch(sequences: readonly string[]): SequenceSearch {
  const searched = sequences
    .filter((sequence) => sequence !== '')
    .toSorted((one, other) => other.length - one.length)
    .map((sequence) => ({ sequence, fallbacks: fallbacksOf(sequence), matched: 0 }))
  return {
    feed(text) {
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at)
        let found: string | undefined
        for (const one of searched) {
          const { sequence, fallbacks } = one
          while (one.matched > 0 && sequence.charCodeAt(one.matched) !== unit) {
            one.matched = fallbacks[one.matched - 1] ?? 0
          }
          if (sequence.charCodeAt(one.matched) === unit) one.matched += 1
          if (one.matched === sequence.length) found ??= sequence
        }
        if (found !== undefined) return { sequence: found, end: at + 1 }
      }
      return undefined
    },
    get heldLength() {
      let longest = 0
      for (const { matched } of searched) if (matched > longest) longest = matched
      return longest
    },
    reset() {
      for (const one of searched) one.matched = 0
    },
  }
}

/** For each beginning of the sequence: how long the longest shorter beginning is that it also ends with. */
function fallbacksOf(sequence: string): Uint32Array {
  const fallbacks = new Uint32Array(sequence.length)
  let matched = 0
  for (let at = 1; at < sequence.length; at += 1) {
    while (matched > 0 && sequence.charCodeAt(at) !== sequence.charCodeAt(matched)) {
      matched = fallbacks[matched - 1] ?? 0
    }
    if (sequence.charCodeAt(at) === sequence.charCodeAt(matched)) matched += 1
    fallbacks[at] = matched
  }
  return fallbacks
}
