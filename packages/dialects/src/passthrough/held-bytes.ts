/** Buffer for the beginning of an event whose end has not come yet. It grows by doubling, so that no byte is copied often. */
export class HeldBytes {
  length = 0
  #buffer = NOTHING

  /** Copies the bytes: the rest of a chunk must not keep all of it in memory. */
  hold(rest: Buffer): void {
    this.length = rest.length
    this.#buffer = rest.length === 0 ? NOTHING : Buffer.from(rest)
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2))
      this.#buffer.copy(grown, 0, 0, this.length)
      this.#buffer = grown
    }
    chunk.copy(this.#buffer, this.length)
    this.length = length
  }

  /** The last `count` bytes as latin1. */
  tail(count: number): string {
    return this.#buffer.toString('latin1', Math.max(0, this.length - count), this.length)
  }

  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.length)
    this.length = 0
    this.#buffer = NOTHING
    return bytes
  }
}

const NOTHING = Buffer.alloc(0)
