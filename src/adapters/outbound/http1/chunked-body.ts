import { invalid, readFields } from './reply-head.ts'

/** Maximum size of all extensions and trailers of a reply. */
const EXTRA_BYTES_MAX = 16 * 1024
/** Maximum hexadecimal digits of a size; a number holds all such sizes exactly. */
const SIZE_DIGITS_MAX = 13

const EXTENSIONS =
  /^(?:;[!#$%&'*+\-.^_`|~\w]+(?:=(?:[!#$%&'*+\-.^_`|~\w]+|"(?:[\t !#-[\]-~]|\\[\t -~])*"))?)*$/

const NONE: ReadonlySet<number> = new Set()

const CR = 13
const LF = 10
const SEMICOLON = 59

/**
 * Decodes a chunked body.
 *
 *   size ─;─► extension        ┌─(size 0)─► trailer ─(empty line)─► ended
 *    ▲ └──────┴─CR─► size-end ─┴─► data ─► data-cr ─► data-lf ─┐
 *    └─────────────────────────────────────────────────────────┘
 */
export class ChunkedBody {
  #state: 'size' | 'extension' | 'size-end' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'ended' = 'size'
  #size = 0
  #digits = 0
  #text = ''
  #extraBytes = 0
  #fault: Error | undefined
  #piece: Buffer | undefined

  get isEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Error that stopped the last read. The bytes before it are valid. */
  get fault(): Error | undefined {
    return this.#fault
  }

  /** Body bytes of the last read, in one piece. */
  get piece(): Buffer | undefined {
    return this.#piece
  }

  /** Reads bytes up to the returned offset, and moves body bytes together into one chunk. */
  read(bytes: Buffer, start: number): number {
    let at = start
    let from = 0
    let to = 0
    try {
      while (at < bytes.length && this.#state !== 'ended') {
        if (this.#state !== 'data') {
          this.#readFrame(bytes[at] ?? 0)
          at += 1
          continue
        }
        const end = Math.min(bytes.length, at + this.#size)
        if (to === 0) from = at
        else bytes.copyWithin(to, at, end)
        to = (to === 0 ? from : to) + end - at
        this.#size -= end - at
        at = end
        if (this.#size === 0) this.#state = 'data-cr'
      }
    } catch (error) {
      this.#fault = error instanceof Error ? error : invalid('chunk')
    }
    this.#piece = to === 0 ? undefined : bytes.subarray(from, to)
    return at
  }

  #readFrame(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#readSize(byte)
        break
      case 'extension':
        this.#readExtension(byte)
        break
      case 'size-end':
        if (byte !== LF) throw invalid('chunk size')
        this.#state = this.#size === 0 ? 'trailer' : 'data'
        this.#digits = 0
        break
      case 'data-cr':
        if (byte !== CR) throw invalid('chunk end')
        this.#state = 'data-lf'
        break
      case 'data-lf':
        if (byte !== LF) throw invalid('chunk end')
        this.#state = 'size'
        break
      default:
        this.#readTrailer(byte)
    }
  }

  #readSize(byte: number): void {
    const digit = hexOf(byte)
    if (digit >= 0) {
      this.#digits += 1
      if (this.#digits > SIZE_DIGITS_MAX) throw invalid('chunk size')
      this.#size = this.#size * 16 + digit
    } else {
      if (this.#digits === 0) throw invalid('chunk size')
      if (byte === CR) this.#state = 'size-end'
      else if (byte === SEMICOLON) this.#readExtension(byte)
      else throw invalid('chunk size')
    }
  }

  #readExtension(byte: number): void {
    if (byte !== CR) {
      this.#state = 'extension'
      this.#hold(byte)
      return
    }
    if (!EXTENSIONS.test(this.#text)) throw invalid('chunk extension')
    this.#text = ''
    this.#state = 'size-end'
  }

  #readTrailer(byte: number): void {
    this.#hold(byte)
    if (byte !== LF) return
    if (this.#text === '\r\n') this.#state = 'ended'
    else readFields(this.#text, 0, { only: NONE })
    this.#text = ''
  }

  #hold(byte: number): void {
    this.#extraBytes += 1
    if (this.#extraBytes > EXTRA_BYTES_MAX) throw invalid('too many bytes beside the body')
    this.#text += String.fromCharCode(byte)
  }
}

function hexOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
