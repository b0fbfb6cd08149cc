/** Tracks how much of a reply's output its vendor has counted, for a reply that may break off. */
export class OutputCount {
  #tokens: number | undefined
  /** Output bytes at the time of the last count. */
  #bytes = 0
  /** False for a vendor whose count went down: each of its counts covers only one piece. */
  #countsAll = true

  /** Notes a count and the output bytes so far. A repeated count covers nothing new. */
  note(tokens: number | undefined, outputBytes: number): void {
    if (tokens === this.#tokens) return
    if ((tokens ?? 0) < (this.#tokens ?? 0)) this.#countsAll = false
    this.#tokens = tokens
    this.#bytes = outputBytes
  }

  /** Whether the vendor's last count covers all output. A vendor may report 0 before its first output: that is not a count. */
  isOfAll(outputBytes: number): boolean {
    const hasCounted = this.#tokens !== undefined && this.#tokens > 0
    return hasCounted && this.#countsAll && this.#bytes === outputBytes
  }
}
