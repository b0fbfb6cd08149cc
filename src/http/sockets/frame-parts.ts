/** Parts that an event may have whatever its size. */
const FREE_PARTS = 256
/** Minimum average size of further parts. Clients with a small buffer send parts of a few kilobytes. */
const PART_BYTES_MIN = 1_024

/** Control frames, such as pings, that a client may send between two ticks. */
const CONTROLS_MAX = 256

/** The longest head of a client's frame: two bytes, a length of eight, and a mask of four. */
const HEAD_BYTES_MAX = 14
const MASK_BYTES = 4
const FINAL = 0x80
const CONTINUATION = 0
const FIRST_CONTROL = 8

/**
 * Counts the parts of an event, and control frames, before they are parsed. A part of one byte takes a hundred times the
 * memory and time of this byte, and no other limit counts parts. Unmasks content, and the mask itself becomes zeros: the
 * parser would unmask an event of megabytes in one turn.
 */
export class FrameParts {
  /** Control frames since the last tick, which sets it to 0. */
  controls = 0
  readonly #head = Buffer.alloc(HEAD_BYTES_MAX)
  #headBytes = 0
  #contentLeft = 0
  #contentRead = 0
  #maskStart = 2
  #parts = 0
  #bytes = 0

  /** Reads and unmasks bytes, which begin and end anywhere. Returns whether there are too many parts or control frames. */
  read(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length; ) {
      if (this.#contentLeft > 0) {
        const end = Math.min(at + this.#contentLeft, bytes.length)
        this.#unmask(bytes.subarray(at, end))
        at = end
        continue
      }
      this.#head[this.#headBytes] = bytes[at] ?? 0
      if (this.#headBytes >= this.#maskStart) bytes[at] = 0
      this.#headBytes += 1
      at += 1
      if (!this.#readHead()) continue
      if (this.controls > CONTROLS_MAX || this.#parts > FREE_PARTS + this.#bytes / PART_BYTES_MIN) return true
    }
    return false
  }

  #unmask(content: Buffer): void {
    const mask = this.#head.subarray(this.#maskStart)
    const first = this.#contentRead
    for (let at = 0; at < content.length; at += 1)
      content[at] = (content[at] ?? 0) ^ (mask[(first + at) & 3] ?? 0)
    this.#contentLeft -= content.length
    this.#contentRead += content.length
  }

  /** Returns false while bytes of the head are missing. */
  #readHead(): boolean {
    const head = this.#head
    const short = head.readUInt8(1) & 0x7f
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
    this.#maskStart = 2 + lengthBytes
    if (this.#headBytes < this.#maskStart + MASK_BYTES) return false
    this.#headBytes = 0
    this.#contentRead = 0
    this.#contentLeft =
      lengthBytes === 0 ? short : lengthBytes === 2 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
    const first = head.readUInt8(0)
    const opcode = first & 0x0f
    if (opcode >= FIRST_CONTROL) {
      this.controls += 1
      return true
    }
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
