/** Parts that an event may have whatever its size. */
const FREE_PARTS = 256
/** Minimum average size of further parts. Clients with a small buffer send parts of a few kilobytes. */
const PART_BYTES_MIN = 1_024

/** The longest head of a client's frame: two bytes, a length of eight, and a mask of four. */
const HEAD_BYTES_MAX = 14
const MASK_BYTES = 4
const FINAL = 0x80
const CONTINUATION = 0
const FIRST_CONTROL = 8

/**
 * Counts the parts of an event before they are parsed. A part of one byte takes a hundred times the memory and time of
 * this byte, and no other limit counts parts.
 */
export class FrameParts {
  readonly #head = Buffer.alloc(HEAD_BYTES_MAX)
  #headBytes = 0
  #contentLeft = 0
  #parts = 0
  #bytes = 0

  /** Reads bytes of a client, which begin and end anywhere. Returns whether an event has too many parts. */
  read(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length; ) {
      if (this.#contentLeft > 0) {
        const skipped = Math.min(this.#contentLeft, bytes.length - at)
        this.#contentLeft -= skipped
        at += skipped
        continue
      }
      this.#head[this.#headBytes] = bytes[at] ?? 0
      this.#headBytes += 1
      at += 1
      if (this.#readHead() && this.#parts > FREE_PARTS + this.#bytes / PART_BYTES_MIN) return true
    }
    return false
  }

  /** Returns false while bytes of the head are missing. */
  #readHead(): boolean {
    const head = this.#head
    const short = head.readUInt8(1) & 0x7f
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
    if (this.#headBytes < 2 + lengthBytes + MASK_BYTES) return false
    this.#headBytes = 0
    this.#contentLeft =
      lengthBytes === 0 ? short : lengthBytes === 2 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
    const first = head.readUInt8(0)
    const opcode = first & 0x0f
    if (opcode >= FIRST_CONTROL) return true
    if (opcode !== CONTINUATION) {
      this.#parts = 0
      this.#bytes = 0
    }
    this.#parts += 1
    this.#bytes += this.#contentLeft
    if (first & FINAL) this.#parts = 0
    return true
  }
}
