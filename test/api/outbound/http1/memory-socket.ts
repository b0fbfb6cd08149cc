import { Duplex } from 'node:stream'

/** One end of a connection in memory; a test holds the other end: `push` is what the vendor sends. */
export class MemorySocket extends Duplex {
  /** Written data, one entry per write. */
  readonly writes: string[] = []
  /** Set while a write is held, which keeps later writes in the buffer. */
  #held: (() => void) | undefined
  #isHeld = false

  hold(): void {
    this.#isHeld = true
  }

  letOut(): void {
    const done = this.#held
    this.#held = undefined
    done?.()
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#note([chunk], done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#note(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  #note(chunks: Buffer[], done: () => void): void {
    this.writes.push(Buffer.concat(chunks).toString('latin1'))
    if (this.#isHeld) this.#held = done
    else done()
  }
}
