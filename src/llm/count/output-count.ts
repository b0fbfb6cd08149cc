/** How much of a reply's output its vendor has counted so far, for a reply that may break off. */
export class OutputCount {
  #tokens: number | undefined
  /** What had passed when the last count came. */
  #bytes = 0
  /** A vendor whose count went down counts each piece by itself: such a count is for no more than that piece. */
  #countsAll = true

  /** A count comes with the words that it is for, or after them. One that only repeats the last counts nothing new. */
  note(tokens: number | undefined, outputBytes: number): void {
    if (tokens === this.#tokens) return
    if ((tokens ?? 0) < (this.#tokens ?? 0)) this.#countsAll = false
    this.#tokens = tokens
    this.#bytes = outputBytes
  }

  /** Whether nothing has passed since the vendor last counted. Before its first word a vendor may count 0: that is no count. */
  isOfAll(outputBytes: number): boolean {
    const hasCounted = this.#tokens !== undefined && this.#tokens > 0
    return hasCounted && this.#countsAll && this.#bytes === outputBytes
  }
}
